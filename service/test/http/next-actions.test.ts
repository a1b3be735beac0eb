import { afterAll, beforeAll, expect, test } from 'vitest';
import { forwardedFor, whorlNext } from 'whorl/next';
import { Whorl } from 'whorl/server';
import { laptop, phone } from '../support/customer.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service.close());

test('a server action reports a wrong password, and replies what a right one would have received', async () => {
  const { live } = (await service.newProject({ policy: { login: { new_device: 'deny' } } })).keys;
  const client = new Whorl({ apiSecret: live.secret, baseUrl: service.url });
  const whorl = whorlNext({ whorl: client, whenUnavailable: 'deny', clientAddress: forwardedFor(1) });
  const headers = new Headers({ 'x-forwarded-for': '198.51.100.7' });
  const attempt = { action: 'login', user: 'ann' };
  const request = { headers, cookies: { set: () => undefined } };
  await client.evaluate({
    action: 'signup',
    user: 'ann',
    email: 'ann@example.com',
    fingerprint: laptop,
    ip: '198.51.100.7',
  });

  expect(await whorl.reportFailedAction(request, { fingerprint: laptop }, attempt)).toMatchObject({
    continues: true,
    reply: undefined,
  });
  const refused = await whorl.reportFailedAction(request, { fingerprint: phone }, attempt);
  expect(refused).toMatchObject({ continues: false, reply: { status: 403, body: { code: 'denied' } } });
  expect((await whorl.decideAction(request, { fingerprint: phone }, attempt)).reply).toEqual(refused.reply);
  const { data } = await client.evaluations.list({ user: 'ann' });
  expect(data.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'failed', 'succeeded']);
});
