import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { createDatabase, describeDatabases, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { environmentFor, LIVE_SECRET, type ServiceProcess, startProcess } from '../support/process.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('stopping', (kind) => {
  let fresh: FreshDatabase;
  let running: ServiceProcess[];
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.end('SIGKILL')));
    await fresh.drop();
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await startProcess({ ...environmentFor(fresh.options), ...environment });
    running.push(service);
    return service;
  }

  test('requests in flight are completed, and new ones refused', async () => {
    const service = await start();
    const key = LIVE_SECRET.exec(service.left.keys())?.[1] ?? '';
    const load = keepBusy(service.url, key);
    await waitFor(() => load.answered.length > 20, { what: 'load' });
    const late = await beginRequest(service.url, key);
    service.signal('SIGTERM');
    await waitFor(() => service.stdout().includes('"Stopping"'), { what: 'the signal to arrive' });
    await waitFor(() => refusesConnections(service.url), { what: 'new connections to be refused' });
    const answer = await late.finish();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^connection: close/im);
    expect(await service.finished).toMatchObject({ code: 0 });
    await load.end();

    const again = await start();
    for (const id of load.answered) {
      expect((await callApi(again.url, `/v2/evaluations/${id}`, { key })).status).toBe(200);
    }
  });

  test('requests are answered during the delay before it stops, which /readyz reports', async () => {
    const service = await start({ SHUTDOWN_DELAY_SECONDS: '300' });
    const key = LIVE_SECRET.exec(service.left.keys())?.[1] ?? '';
    expect((await callApi(service.url, '/readyz')).status).toBe(200);
    service.signal('SIGTERM');
    await waitFor(async () => (await callApi(service.url, '/readyz')).status === 503, { what: '/readyz to report it' });
    expect((await callApi(service.url, '/healthz')).status).toBe(200);
    const answer = await callApi(service.url, '/v2/device/evaluate', { key, body: evaluation('late') });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await service.end('SIGTERM')).toMatchObject({ code: 1 });

    const startedAt = performance.now();
    const again = await start({ SHUTDOWN_DELAY_SECONDS: '1' });
    expect(await again.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
  });

  test('a second signal does not wait', async () => {
    const service = await start();
    const key = LIVE_SECRET.exec(service.left.keys())?.[1] ?? '';
    await beginRequest(service.url, key);
    service.signal('SIGINT');
    await waitFor(() => service.stdout().includes('"Stopping"'), { what: 'the signal to arrive' });
    expect(await service.end('SIGTERM')).toMatchObject({ code: 1 });
  });
});

const evaluation = (user: string) => ({
  action: 'login',
  user,
  fingerprint: fingerprintOf({ seed: user }),
  ip: '198.51.100.7',
});

/**
 * Evaluates from several connections until the service stops responding. Returns the IDs of acknowledged evaluations.
 */
function keepBusy(url: string, key: string): { answered: string[]; end(): Promise<void> } {
  const answered: string[] = [];
  const run = async (name: string) => {
    for (let at = 0; ; at++) {
      const answer = await callApi(url, '/v2/device/evaluate', { key, body: evaluation(`${name} ${at}`) }).catch(
        () => undefined,
      );
      if (!answer) return;
      if (answer.status === 200) answered.push(answer.body.evaluation_id);
    }
  };
  const runs = Promise.all(['a', 'b', 'c', 'd'].map(run));
  return { answered, end: async () => void (await runs) };
}

/** Sends a request without its last byte, so that the service is still processing it. */
async function beginRequest(url: string, key: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port, host } = new URL(url);
  const body = JSON.stringify(evaluation('late'));
  const socket = createConnection(Number(port), hostname).setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    [
      'POST /v2/device/evaluate HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body.slice(0, -1),
    ].join('\r\n'),
  );
  // Its header has been read once a later request is answered.
  await callApi(url, '/healthz');
  return {
    async finish() {
      const closed = once(socket, 'close');
      socket.write(body.slice(-1));
      await closed;
      return answer;
    },
  };
}

async function refusesConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]).catch(() => ['error']);
  socket.destroy();
  return event === 'error';
}
