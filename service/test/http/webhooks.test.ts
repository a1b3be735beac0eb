import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyWebhook } from 'whorl/server';
import {
  createProject,
  createWebhookClient,
  deliverTo,
  enableEndpoint,
  removeEndpoint,
  removeOldRows,
  rotateSecret,
  tryEndpoint,
} from '../../src/testing.js';
import { type Customer, customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { forgetEndpoints, verified, type Webhooks, webhooksOf } from '../support/webhooks.js';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

describeDatabases('webhooks', (kind) => {
  let receiver: Receiver;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let webhooks: Webhooks;
  let url: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await forgetEndpoints(service, receiver);
    project = await service.newProject();
    customer = customerOf(service, project);
    webhooks = webhooksOf(service.service, project);
    url = `${receiver.url}/hooks`;
    await customer.evaluate({ action: 'signup', user: 'ann', fingerprint: laptop, ip: '198.51.100.7' });
  });

  test('deliver events of the outbox, signed, to each endpoint of the world and no other', async () => {
    const { secret } = await webhooks.add(url);
    const { secret: other } = await webhooks.add(`${receiver.url}/other`);
    const stranger = webhooksOf(
      service.service,
      await createProject(service.service, { name: service.service.newId() }),
    );
    await stranger.add(`${receiver.url}/stranger`);
    await customer.challenge('bob');
    await webhooks.deliver();
    const [event] = (await service.events(project)).slice(-1);
    const sent = { ...event, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) };
    const [first] = receiver.at('/hooks');
    const [copy] = receiver.at('/other');
    if (!first || !copy) throw new Error('Nothing came');
    expect(verified(first, secret)).toEqual(sent);
    expect(await verifyWebhook(first.body, first.headers, secret)).toEqual(sent);
    expect(() => verified(first, other)).toThrow();
    expect(verified(copy, other)).toEqual(sent);
    expect(first.id).toBe(copy.id);
    expect(receiver.received).toHaveLength(2);

    await webhooks.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('are signed with two secrets during a rotation, and then only with the new one', async () => {
    const { id, secret: old } = await webhooks.add(url);
    const { secret } = await rotateSecret(service.service, { ...webhooks.choose(id), keepOldForHours: 1 });
    await webhooks.emit(1);
    await webhooks.deliver();
    const [during] = receiver.received;
    if (!during) throw new Error('Nothing came');
    expect(verified(during, old)).toEqual(verified(during, secret));
    expect((await webhooks.list())[0]).toHaveProperty('previousUntil');

    await rotateSecret(service.service, { ...webhooks.choose(id), keepOldForHours: 0 });
    await webhooks.emit(1);
    await webhooks.deliver();
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    const rows = await service.db.selectFrom('webhook_endpoints').select('secret').execute();
    for (const row of rows) expect(Buffer.from(row.secret).toString('latin1')).not.toContain('whsec_');
  });

  test('are never sent to private addresses, at registration and at delivery', async () => {
    for (const refused of [
      'http://10.0.0.1/',
      'https://169.254.169.254/',
      'https://[::ffff:192.168.0.1]/',
      'ftp://a/',
    ]) {
      await expect(webhooks.add(refused), refused).rejects.toMatchObject({ name: 'OperatorError' });
    }
    const { id } = await webhooks.add(url);
    await webhooks.emit(1);
    const strict = { ...service.service, webhooks: createWebhookClient({ allowPrivate: false }) };
    await deliverTo(strict, await webhooks.keyOf(id));
    expect(receiver.received).toEqual([]);
    expect(await webhooks.attempts(id)).toEqual(['address']);
    await expect(enableEndpoint(strict, webhooks.choose(id))).rejects.toMatchObject({ name: 'OperatorError' });
  });

  test('do not follow redirects', async () => {
    const { id } = await webhooks.add(url);
    receiver.answerNext(status(302, { Location: `${receiver.url}/elsewhere` }));
    await webhooks.emit(1);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await webhooks.attempts(id)).toEqual([302]);
  });

  describe('deleted data is not sent', () => {
    test('an endpoint', async () => {
      const { id } = await webhooks.add(url);
      await webhooks.emit(1);
      await removeEndpoint(service.service, webhooks.choose(id));
      await webhooks.deliver();
      expect(receiver.received).toEqual([]);
      await expect(removeEndpoint(service.service, webhooks.choose(id))).rejects.toThrow(
        'There is no webhook endpoint',
      );
    });

    test('of a user erased during a delivery', async () => {
      const { id } = await webhooks.add(url);
      await webhooks.emit(1);
      receiver.answerNext((response) => {
        void customer.ask('/v2/user/ann/delete').then(() => response.writeHead(500).end());
      });
      await webhooks.deliver();
      service.clock.advance(minute);
      await webhooks.deliver();
      expect(receiver.received).toHaveLength(1);
      expect(await webhooks.attempts(id)).toEqual([]);
      expect(await webhooks.list()).toMatchObject([{ waiting: 0, failed: 0 }]);
    });

    test('attempts after 30 days', async () => {
      const { id } = await webhooks.add(url);
      await webhooks.emit(1);
      await webhooks.deliver();
      service.clock.advance(29 * day);
      await removeOldRows(service.service);
      expect(await webhooks.attempts(id)).toEqual([204]);
      service.clock.advance(2 * day);
      await removeOldRows(service.service);
      expect(await webhooks.attempts(id)).toEqual([]);
    });
  });

  describe('endpoints', () => {
    test('of another project or world are not found', async () => {
      const { id } = await webhooks.add(url);
      const other = webhooksOf(
        service.service,
        await createProject(service.service, { name: service.service.newId() }),
      );
      await expect(removeEndpoint(service.service, other.choose(id))).rejects.toThrow('There is no webhook endpoint');
      const test = { ...webhooks.choose(id), mode: 'test' } as const;
      await expect(removeEndpoint(service.service, test)).rejects.toThrow('There is no webhook endpoint');
      expect(await webhooks.list()).toHaveLength(1);
    });

    test('are unique per URL, and limited to 20', async () => {
      await webhooks.add(url);
      await expect(webhooks.add(url)).rejects.toThrow('already registered');
      for (let at = 1; at < 20; at++) await webhooks.add(`${url}/${at}`);
      await expect(webhooks.add(`${url}/20`)).rejects.toThrow('already 20 webhook endpoints');
    });

    test('can be tested without a trace', async () => {
      const { id, secret } = await webhooks.add(url);
      receiver.answerNext(status(200), status(500));
      expect(await tryEndpoint(service.service, webhooks.choose(id))).toMatchObject({ status: 200 });
      expect(await tryEndpoint(service.service, webhooks.choose(id))).toMatchObject({ status: 500, failure: 'status' });
      const [received] = receiver.received;
      expect(received && verified(received, secret)).toMatchObject({ type: 'webhook.test', data: { endpoint: id } });
      expect(await webhooks.attempts(id)).toEqual([]);
      expect(await webhooks.list()).toMatchObject([{ status: 'healthy', waiting: 0, failed: 0 }]);
    });
  });
});
