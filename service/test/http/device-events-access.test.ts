import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs } from '../../src/testing.js';
import { type Customer, customerOf, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { devicePagesOf, never } from '../support/device-pages.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('the events of a device', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind, watch: never });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });
  const { signUp, open, ask, hears } = devicePagesOf(() => ({ service, customer }));

  test('only a token of the device opens its stream', async () => {
    const page = await signUp('ann');
    const other = await signUp('bob', phone);
    const { secret, publishable } = project.keys.live;
    for (const token of ['', 'x', secret, publishable, `${page.token}x`]) {
      const answer = await ask({ device: page.device, token });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
    expect(await ask({ device: page.device, token: other.token })).toMatchObject({ status: 404 });
    expect(await ask({ device: 'nobody', token: other.token })).toMatchObject({ status: 404 });
  });

  test('a token past half its lifetime is replaced, and an expired one is rejected', async () => {
    const page = await signUp('ann');
    service.clock.advance(13 * hourMs);
    const reader = await open(page);
    await hears(reader, 'token');
    const newer = { ...page, token: reader.events[0]?.data.device_token };
    expect((await ask(page)).body.device_token).toBeTruthy();
    expect((await ask(newer)).body).toEqual({ data: [] });
    service.clock.advance(12 * hourMs);
    expect(await ask(page)).toMatchObject({ status: 401 });
    expect(await ask(newer)).toMatchObject({ status: 200 });
  });

  test('a token is not replaced after its device was detached', async () => {
    const page = await signUp('ann');
    await customer.ask(`/v2/device/${page.device}/detach`);
    service.clock.advance(13 * hourMs);
    expect((await ask(page)).body).toEqual({ data: [expect.objectContaining({ type: 'detached' })] });
  });

  test('pages of other origins are rejected', async () => {
    const page = await signUp('ann');
    const path = `/v2/device/${page.device}/events`;
    const preflight = (from: string) =>
      service.api(path, {
        method: 'OPTIONS',
        headers: { Origin: from, 'Access-Control-Request-Method': 'GET' },
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('Access-Control-Allow-Methods')).toBe('GET');
    expect(allowed.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*Last-Event-ID/);
    expect(allowed.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect((await preflight('https://strange.example')).status).toBe(403);
    const reader = await open(page, { Origin: origin });
    expect(reader.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const refused = await ask({ ...page, token: 'x' }, { Origin: origin });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    await service.newProject({ allowed_origins: ['https://other.example'] });
    for (const from of ['https://strange.example', 'https://other.example']) {
      const answer = await ask(page, { Origin: from });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  test('at most four pages of one device can wait, and closed ones make room', async () => {
    const page = await signUp('ann');
    const pages = [];
    for (let count = 0; count < 4; count++) pages.push(await open(page));
    const fifth = await open(page);
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get('Retry-After')).toBeTruthy();
    expect((await ask(page)).status).toBe(200);
    pages[0]?.close();
    const isLetIn = async () => (await open(page)).status === 200;
    await waitFor(isLetIn, { what: 'room' });
    await customer.ask(`/v2/device/${page.device}/detach`);
    for (const each of pages.slice(1)) await hears(each, 'detached');
  });

  test('the consumer of a claim gets a token for its page', async () => {
    const { evaluation_id } = await customer.claim('ann', { action: 'signup' });
    const request = { user: 'ann', action: 'signup' };
    const record = await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, request);
    const page = { device: record.device_id, token: record.device_token };
    expect(await ask(page)).toMatchObject({ status: 200 });
    expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body.device_token).toBeUndefined();
  });

  test('HEAD does not open a stream', async () => {
    const { device, token } = await signUp('ann');
    const path = new URL(`/v2/device/${device}/events`, service.url);
    for (let count = 0; count < 6; count++) {
      const answer = await fetch(path, { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
    }
    expect((await open({ device, token })).status).toBe(200);
  });
});
