import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyWebhook } from 'whorl/server';
import {
  createProject,
  createWebhookClient,
  deliverTo,
  enableEndpoint,
  removeEndpoint,
  removeOldRows,
  replay,
  rotateSecret,
  startWebhookWorker,
  tryEndpoint,
} from '../../src/testing.js';
import { type Customer, customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { never, type Receiver, startReceiver, status } from '../support/receiver.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';
import { forgetEndpoints, verified, type Webhooks, webhooksOf } from '../support/webhooks.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Longer than any pause with maximum jitter. */
const pauses = [7 * second, 7 * minute, 37 * minute, ...[2.5, 6.1, 12.1, 17, 24.1, 29].map((hours) => hours * hour)];

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
  const idsReceived = () => receiver.received.map(({ id }) => id);
  /** Waits longer for a response than any test does. */
  const patient = () => ({
    ...service.service,
    webhooks: createWebhookClient({ allowPrivate: true, timeoutMs: 600_000 }),
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

  test('are retried after 5 seconds with the same ID if the receiver failed', async () => {
    service.clock.stop();
    const { id } = await webhooks.add(url);
    receiver.answerNext(status(500));
    await webhooks.emit(1);
    await webhooks.deliver();
    service.clock.advance(4 * second);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    service.clock.advance(3 * second);
    await webhooks.deliver();
    const [first, again] = receiver.received;
    expect(again?.id).toBe(first?.id);
    expect(again?.body).toBe(first?.body);
    expect(again?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(await webhooks.attempts(id)).toEqual([204, 500]);
    expect(await webhooks.list()).toMatchObject([{ status: 'healthy', waiting: 0, failed: 0 }]);
  });

  test('are not retried earlier than the receiver requests', async () => {
    await webhooks.add(url);
    receiver.answerNext(status(503, { 'Retry-After': '600' }));
    await webhooks.emit(1);
    await webhooks.deliver();
    service.clock.advance(9 * minute);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    service.clock.advance(4 * minute);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('are abandoned after ten attempts and can be replayed; the endpoint is failing until a delivery succeeds', async () => {
    const { id } = await webhooks.add(url);
    receiver.answerAlways('/hooks', status(503));
    const [event = ''] = await webhooks.emit(1);
    await webhooks.deliver();
    for (const pause of pauses) {
      expect(await webhooks.list()).toMatchObject([{ status: 'healthy', waiting: 1, failed: 0 }]);
      service.clock.advance(pause);
      await webhooks.deliver();
    }
    expect(idsReceived()).toEqual(Array.from({ length: 10 }, () => event));
    expect(await webhooks.list()).toMatchObject([{ status: 'failing', waiting: 0, failed: 1 }]);
    service.clock.advance(2 * day);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(10);

    receiver.answerAlways('/hooks', status(204));
    expect(await replay(service.service, webhooks.choose(id), { event })).toBe(1);
    await webhooks.deliver();
    expect(idsReceived()).toEqual(Array.from({ length: 11 }, () => event));
    expect(await webhooks.list()).toMatchObject([{ status: 'healthy', waiting: 0, failed: 0 }]);
  });

  test('of a period are replayed if they were not delivered, or all on request', async () => {
    const { id } = await webhooks.add(url);
    await webhooks.emit(1);
    service.clock.advance(hour);
    const from = service.service.now();
    const [taken = ''] = await webhooks.emit(1);
    await webhooks.deliver();
    receiver.answerNext(status(410));
    const [refused = ''] = await webhooks.emit(1);
    await webhooks.deliver();
    const missed = await webhooks.emit(2);
    // Events in the same millisecond as `to` are excluded.
    service.clock.advance(second);
    const to = service.service.now();
    service.clock.advance(hour);
    await enableEndpoint(service.service, webhooks.choose(id));
    receiver.clear();
    expect(await replay(service.service, webhooks.choose(id), { from, to, delivered: false })).toBe(3);
    await webhooks.deliver();
    expect(idsReceived().sort()).toEqual([refused, ...missed].sort());
    receiver.clear();
    expect(await replay(service.service, webhooks.choose(id), { from, to, delivered: true })).toBe(4);
    await webhooks.deliver();
    expect(idsReceived().sort()).toEqual([taken, refused, ...missed].sort());
    const nowhere = { event: service.service.newId() };
    await expect(replay(service.service, webhooks.choose(id), nowhere)).rejects.toThrow('There is no event');
  });

  test('stop if the receiver responds with 410, until the endpoint is enabled again', async () => {
    const { id } = await webhooks.add(url);
    receiver.answerNext(status(410));
    await webhooks.emit(1);
    await webhooks.deliver();
    await webhooks.emit(2);
    service.clock.advance(day);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await webhooks.list()).toMatchObject([{ status: 'off', waiting: 0, failed: 1 }]);
    const all = { from: new Date(0), delivered: false };
    await expect(replay(service.service, webhooks.choose(id), all)).rejects.toThrow('switched off');
    await enableEndpoint(service.service, webhooks.choose(id));
    await webhooks.emit(1);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('are each delivered once by several workers', async () => {
    const { id } = await webhooks.add(url);
    const ids = await webhooks.emit(60);
    const key = await webhooks.keyOf(id);
    await Promise.all([1, 2, 3].map(() => deliverTo(service.service, key)));
    expect(idsReceived().sort()).toEqual([...ids].sort());
  });

  test('are retried with the same ID if a worker never reported the outcome', async () => {
    const { id } = await webhooks.add(url);
    const [event] = await webhooks.emit(1);
    receiver.answerNext(never);
    const dying = new AbortController();
    void deliverTo(service.service, await webhooks.keyOf(id), { signal: dying.signal });
    await waitFor(() => receiver.received.length === 1, { what: 'the first attempt' });
    dying.abort();
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    service.clock.advance(61 * second);
    await webhooks.deliver();
    expect(idsReceived()).toEqual([event, event]);
    expect(await webhooks.attempts(id)).toEqual([204]);
  });

  test('do not wait for an earlier one without a response', async () => {
    const { id } = await webhooks.add(url);
    receiver.answerNext(never, never);
    const ids = await webhooks.emit(30);
    const stopping = new AbortController();
    const delivering = deliverTo(patient(), await webhooks.keyOf(id), { signal: stopping.signal });
    await waitFor(() => receiver.received.length === ids.length, { what: 'all of them' });
    // Events that become due meanwhile are sent too.
    const [later] = await webhooks.emit(1);
    await waitFor(() => idsReceived().at(-1) === later, { what: 'the one that came later' });
    stopping.abort();
    receiver.hangUp();
    await delivering;
    expect(idsReceived().sort()).toEqual([...ids, later].sort());
  });

  test('to four endpoints do not wait for an unreachable fifth', async () => {
    const paths = ['/a', '/b', '/c', '/d'];
    for (const path of ['/dead', ...paths]) await webhooks.add(receiver.url + path);
    receiver.answerAlways('/dead', never);
    const count = 50;
    await webhooks.emit(count);
    const outcomes: string[] = [];
    const worker = startWebhookWorker(patient(), { onAttempt: (outcome) => outcomes.push(outcome) });
    await waitFor(() => outcomes.length >= count * paths.length, { what: 'the other four' });
    expect(outcomes.every((outcome) => outcome === 'delivered')).toBe(true);
    for (const path of paths) expect(new Set(receiver.at(path).map(({ id }) => id)).size).toBe(count);
    // Maximum number of concurrent deliveries to one endpoint.
    await waitFor(() => receiver.at('/dead').length >= 10, { what: 'those that are not answered' });
    expect(receiver.at('/dead')).toHaveLength(10);
    receiver.hangUp();
    await worker.stop();
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
