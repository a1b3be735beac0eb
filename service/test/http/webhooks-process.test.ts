import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addEndpoint, createLog, createProject, startServer } from '../../src/testing.js';
import { callApi } from '../support/api.js';
import { Clock } from '../support/clock.js';
import {
  createDatabase,
  describeDatabases,
  describePostgresql,
  type FreshDatabase,
  testOnce,
} from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { createOutbox } from '../support/outbox.js';
import { environmentFor, LIVE_SECRET, runProcess, startProcess } from '../support/process.js';
import { never, type Receiver, startReceiver, status } from '../support/receiver.js';
import { configFor } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';
import { verified } from '../support/webhooks.js';

const MADE = /^Created the webhook endpoint ([0-9a-f-]{36})\. Its secret is shown only once:\n {2}(whsec_\S+)\n$/;

let fresh: FreshDatabase;
let receiver: Receiver;

function useDatabase(kind: 'embedded' | 'postgresql'): void {
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await fresh.drop();
  });
}

const environment = () => ({ ...environmentFor(fresh.options), ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' });
const webhooks = (...args: string[]) => runProcess(['webhooks', ...args], environment());

/** Creates a project's first event: a challenge. */
function challenge(url: string, key: string) {
  const body = { action: 'login', user: 'ann', fingerprint: fingerprintOf({ seed: 'ann' }), ip: '198.51.100.7' };
  return callApi(url, '/v2/device/evaluate', { key, body });
}

describeDatabases('the command line for webhooks', (kind) => {
  useDatabase(kind);

  // Each command is a process. The queries are tested on both databases.
  const once = testOnce(kind);
  once('makes an endpoint, which the service then sends events to', async () => {
    const created = await runProcess(['project', 'create', '--name', 'Shop'], environment());
    const key = LIVE_SECRET.exec(created.stdout)?.[1] ?? '';
    const added = await webhooks('add', '--project', 'Shop', '--url', `${receiver.url}/hooks`);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const [, id = '', secret = ''] = MADE.exec(added.stdout) ?? [];

    const service = await startProcess(environment());
    await challenge(service.url, key);
    await waitFor(() => receiver.received.length > 0, { what: 'the event' });
    await service.end('SIGTERM');
    const [received] = receiver.received;
    expect(received && verified(received, secret)).toMatchObject({ type: 'challenge.initiated' });

    const list = await webhooks('list', '--project', 'Shop');
    expect(list.stdout).toBe(`${id}  healthy  waiting 0  failed 0  ${receiver.url}/hooks\n`);
    const attempts = await webhooks('attempts', '--project', 'Shop', id);
    expect(attempts.stdout).toMatch(/^\S+Z {2}[0-9a-f-]{36} {2}challenge\.initiated {2}204 {2}\d+ ms\n$/);
    receiver.answerNext(status(500));
    const tried = await webhooks('test', '--project', 'Shop', id);
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Delivery failed: 500 {2}status/) });
    const replayed = await webhooks('replay', '--project', 'Shop', id, '--event', received?.id ?? '');
    expect(replayed).toMatchObject({ code: 0, stdout: '1 events scheduled for delivery\n' });
  });

  test('reports errors in one sentence', async () => {
    await runProcess(['project', 'create', '--name', 'default'], environment());
    const refused = await webhooks('add', '--url', 'http://10.0.0.1/');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Webhooks require https:\/\/.*\n$/) });
    const missing = await webhooks('remove', 'nowhere');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no webhook endpoint.*\n$/) });
  });
});

describePostgresql('a process that stops', () => {
  useDatabase('postgresql');

  test('delivers nothing while it completes open requests, so that it ends in time', async () => {
    const quiet = { log: createLog('silent'), sender: createOutbox() };
    const variables = { ALLOW_PRIVATE_WEBHOOKS: 'true' };
    const limits = { timeoutMs: 3000 };
    const stopping = await startServer(configFor(fresh.options, { ...variables, WORKERS: 'true' }), {
      ...quiet,
      ...limits,
    });
    const other = await startServer(configFor(fresh.options, variables), quiet);
    const { keys, project } = await createProject(other.service, { name: 'Shop' });
    await addEndpoint(other.service, { project: project.id, mode: 'live', url: `${receiver.url}/slow` });
    receiver.answerAlways('/slow', never);
    const open = request(`${stopping.url}/v2/device/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys.live.secret}`, 'Content-Type': 'application/json', 'Content-Length': 9 },
    });
    open.on('error', () => undefined).write('{');
    await callApi(stopping.url, '/healthz');
    const startedAt = performance.now();
    const closing = stopping.close();
    await challenge(other.url, keys.live.secret);
    await closing;
    expect(receiver.at('/slow')).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(9000);
    await other.close();
  });
});

describePostgresql('a worker that is killed during a delivery', () => {
  useDatabase('postgresql');

  test('leaves the event to another worker, which sends it with the same ID', async () => {
    const created = await runProcess(['project', 'create', '--name', 'Shop'], environment());
    const key = LIVE_SECRET.exec(created.stdout)?.[1] ?? '';
    await webhooks('add', '--project', 'Shop', '--url', `${receiver.url}/hooks`);
    receiver.answerNext(never);
    const killed = await startProcess(environment());
    await challenge(killed.url, key);
    await waitFor(() => receiver.received.length === 1, { what: 'the first attempt' });
    await killed.end('SIGKILL');

    // A minute later, the attempt counts as lost.
    const clock = new Clock();
    clock.advance(61_000);
    const config = configFor(fresh.options, { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8', WORKERS: 'true' });
    const other = await startServer(config, { log: createLog('silent'), now: clock.now });
    await waitFor(() => receiver.received.length === 2, { what: 'the second attempt' });
    await other.close();
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
  });
});
