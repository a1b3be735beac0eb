import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWebhookClient, deliverTo, enableEndpoint, replay, startWebhookWorker } from '../../src/testing.js';
import { type Customer, customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { never, type Receiver, startReceiver, status } from '../support/receiver.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';
import { forgetEndpoints, type Webhooks, webhooksOf } from '../support/webhooks.js';

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
});
