import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { environmentFor, launch, type ServiceProcess, startProcess } from '../support/process.js';
import { waitFor } from '../support/wait-for.js';
import { layWire } from '../support/wire.js';

const LIVE_SECRET = /live, secret +(sk_live_\S+)/;
const SET_UP = /\/dashboard\/set-up\?(token=\S{43})\n/;
const TIMEOUT_MS = 240_000;

describeDatabases('starting and stopping', (kind) => {
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

  async function start(): Promise<ServiceProcess> {
    const service = await startProcess(environmentFor(fresh.options));
    running.push(service);
    return service;
  }

  test('the first start shows the keys of its project, and each without administrators a link', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const first = await start();
    const key = LIVE_SECRET.exec(first.stderr())?.[1] ?? '';
    expect(first.stderr().match(/[sp]k_(live|test)_\S+/g)).toHaveLength(4);
    expect(first.stdout()).not.toMatch(/[sp]k_/);
    expect(await callApi(first.url, '/v2/challenges', { key })).toMatchObject({ status: 200, body: { total: 0 } });
    expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });

    const second = await start();
    expect(second.stderr()).not.toMatch(/[sp]k_(live|test)_/);
    expect((await callApi(second.url, '/v2/challenges', { key })).status).toBe(200);

    const links = [first, second].map((service) => SET_UP.exec(service.stderr())?.[1]);
    expect(new Set(links).size).toBe(2);
    expect((await fetch(`${second.url}/dashboard/set-up?${links[1]}`, { redirect: 'manual' })).status).toBe(303);
  });

  test('requests in flight are answered, and new ones refused', { timeout: TIMEOUT_MS }, async () => {
    const service = await start();
    const key = LIVE_SECRET.exec(service.stderr())?.[1] ?? '';
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

  test('a second signal does not wait', { timeout: TIMEOUT_MS }, async () => {
    const service = await start();
    const key = LIVE_SECRET.exec(service.stderr())?.[1] ?? '';
    await beginRequest(service.url, key);
    service.signal('SIGINT');
    await waitFor(() => service.stdout().includes('"Stopping"'), { what: 'the signal to arrive' });
    expect(await service.end('SIGTERM')).toMatchObject({ code: 1 });
  });

  test('another master secret is refused', { timeout: TIMEOUT_MS }, async () => {
    await (await start()).end('SIGTERM');
    const environment = {
      ...environmentFor(fresh.options),
      WHORL_SECRET: 'one that this database was not sealed with',
    };
    const { code, stderr } = await (await launch(['start'], environment)).finished;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, WHORL_SECRET_PREVIOUS.\n',
    );
  });
});

describePostgresql('several processes on one database', () => {
  test('one of them shows keys', { timeout: TIMEOUT_MS }, async () => {
    const empty = await createDatabase('postgresql', { empty: true });
    const services = await Promise.all([1, 2, 3].map(() => startProcess(environmentFor(empty.options))));
    expect(services.filter((service) => LIVE_SECRET.test(service.stderr()))).toHaveLength(1);
    await Promise.all(services.map((service) => service.end('SIGTERM')));
    await empty.drop();
  });
});

describePostgresql('a database that is away', () => {
  test('is waited for', { timeout: TIMEOUT_MS }, async () => {
    const { options, drop } = await createDatabase('postgresql');
    if (options.kind !== 'postgresql') throw new Error('That is another database');
    const wire = await layWire(options.url);
    const environment = environmentFor({ kind: 'postgresql', url: wire.url });
    const impatient = await launch(['start'], environment);
    await waitFor(() => impatient.stdout().includes('The database is away'), { what: 'the log to say so' });
    expect(await impatient.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });

    const starting = startProcess(environment);
    wire.connect();
    const service = await starting;
    expect((await callApi(service.url, '/healthz')).status).toBe(200);
    await service.end('SIGTERM');
    wire.close();
    await drop();
  });
});

describe('one folder', () => {
  test('serves one process', { timeout: TIMEOUT_MS }, async () => {
    const fresh = await createDatabase('embedded');
    const environment = environmentFor(fresh.options);
    const first = await startProcess(environment);
    const { code, stderr } = await (await launch(['start'], environment)).finished;
    expect(code).toBe(1);
    expect(stderr).toContain(`Process ${first.pid} uses the folder`);
    expect((await callApi(first.url, '/healthz')).status).toBe(200);
    await first.end('SIGTERM');
    await fresh.drop();
  });
});

const evaluation = (user: string) => ({
  action: 'login',
  user,
  fingerprint: fingerprintOf({ seed: user }),
  ip: '198.51.100.7',
});

/** Evaluates from several connections until the service answers no more; keeps the ids of what it answered. */
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

/** Sends a request without its last byte, so that the service is in the midst of it. */
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
  // Its head has been read once a request that was sent later is answered.
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
