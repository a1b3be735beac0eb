import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineOptions } from '../../service/test/support/engine-options';
import { copyFolder } from '../../service/test/support/folders';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { addressesIn, DEMO_START_MS, demoEnvironment, demoProgram, post, signUpElsewhere } from './support/demo';

const email = 'ann@example.com';
const password = 'correct horse';

interface Started {
  readonly process: ChildProcess;
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly output: () => string;
}

/** Data folder with a project and tables, which take long to create. Each test uses a copy. */
let prepared: string;
let ports: { PORT: string; SERVICE_PORT: string };
let folder: string;
let started: Started[] = [];

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'whorl-demo-'));
  ports = { PORT: String(await freePort()), SERVICE_PORT: String(await freePort()) };
  folder = prepared;
  const first = start();
  await waitUntilStarted(first);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-demo-'));
  await copyFolder(prepared, folder);
});
afterEach(async () => {
  for (const { process } of started) process.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  started = [];
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
afterAll(() => rm(prepared, { recursive: true, force: true }));

function start(environment: NodeJS.ProcessEnv = {}, program = demoProgram): Started {
  const child = spawn(process.execPath, [...engineOptions, program], {
    env: { ...demoEnvironment(folder, Number(ports.SERVICE_PORT)), ...ports, ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const one = { process: child, ended, output: () => text };
  started.push(one);
  return one;
}

/** Waits until the demo has started, and returns its URLs. */
async function waitUntilStarted({ process, output }: Started): Promise<{ url(path: string): string }> {
  const { address } = await until(
    'The start of the demo',
    () => {
      if (process.exitCode !== null) throw new Error(`It ended: ${output()}`);
      return addressesIn(output());
    },
    { timeoutMs: DEMO_START_MS },
  );
  return { url: (path) => address + path };
}

/** Returns the child processes. */
function childrenOf({ pid }: ChildProcess): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => parentOf(entry) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function occupyPort(): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('No port');
  return { port: address.port, free: () => new Promise((resolve) => server.close(() => resolve())) };
}

describe('a failed start is explained in one sentence:', () => {
  test.each([
    ['PORT', 'for the pages'],
    ['SERVICE_PORT', 'for the service'],
  ])('a %s that is in use', async (variable, what) => {
    const { port, free } = await occupyPort();
    try {
      const demo = start({ [variable]: String(port) });
      expect(await demo.ended).toBe(1);
      expect(demo.output()).toMatch(new RegExp(`Port ${port} is in use. .* ${what} with ${variable}=`));
      expect(demo.output()).not.toContain('    at ');
    } finally {
      await free();
    }
  });

  test.each([
    ['PORT', 'many', 'PORT must be a number'],
    ['WHORL_DEMO_KEYS', 'both', 'WHORL_DEMO_KEYS must be live or test'],
  ])('%s=%s', async (variable, value, sentence) => {
    const demo = start({ [variable]: value });
    expect(await demo.ended).toBe(1);
    expect(demo.output()).toContain(sentence);
  });
});

describe('the running demo', () => {
  test('stores users and keys privately, also across a restart, and Ctrl-C ends all processes', async () => {
    const first = start();
    await signUpElsewhere(await waitUntilStarted(first), email, password);
    const [link = ''] = /http:\S+\/dashboard\/set-up\?token=[\w-]{43}/.exec(first.output()) ?? [];
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    const children = childrenOf(first.process);
    expect(children).toHaveLength(1);
    first.process.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    for (const name of ['keys.json', 'webhooks.json', 'users.json']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(folder, 'users.json'), 'utf8')).not.toContain(password);

    const again = await waitUntilStarted(start());
    // The account and its device still exist.
    await signUpElsewhere(again, 'other@example.com', password);
    await expect(signUpElsewhere(again, email, password)).rejects.toThrow('"taken"');
  });

  test('leaves no service running when it is killed', async () => {
    const demo = start();
    await waitUntilStarted(demo);
    const [service] = childrenOf(demo.process);
    if (service === undefined) throw new Error('There is no service');
    demo.process.kill('SIGKILL');
    await until('The end of the service', () => !isRunning(service) || undefined);
  });

  test('stops with the service, and prints the reason', async () => {
    const demo = start();
    await waitUntilStarted(demo);
    const [service] = childrenOf(demo.process);
    if (service === undefined) throw new Error('There is no service');
    process.kill(service, 'SIGKILL');
    expect(await demo.ended).toBe(1);
    expect(demo.output()).toContain('The service stopped, so the demo stops too.');
  });

  test('receives webhooks, and rejects unsigned ones', async () => {
    const demo = await waitUntilStarted(start());
    const headers = { 'webhook-id': 'forged', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` };
    const body = JSON.stringify({ type: 'device.detached', timestamp: new Date().toISOString(), data: {} });
    const forged = { ...headers, 'webhook-signature': `v1,${btoa('x'.repeat(32))}` };
    expect((await fetch(demo.url('/webhooks'), { method: 'POST', headers: forged, body })).status).toBe(400);

    await signUpElsewhere(demo, email, password);
    const cookies = await post(demo, 'log-in', { email, password, fingerprint: 'another opaque fingerprint' });
    const visitor = /visitor=[\w-]+/.exec(cookies)?.[0] ?? '';
    const ending = new AbortController();
    const { body: events } = await fetch(demo.url('/api/events'), {
      headers: { Cookie: visitor },
      signal: ending.signal,
    });
    let received = '';
    for await (const chunk of events ?? []) {
      received += Buffer.from(chunk).toString('utf8');
      if (received.includes('challenge.initiated')) break;
    }
    ending.abort();
    expect(received).toContain('"from":"service","to":"server","method":"POST","path":"/webhooks"');
    expect(received).not.toContain('forged');
  });

  test('accepts requests only from its own pages, and shows no secrets', async () => {
    const demo = await waitUntilStarted(start());
    const fields = JSON.stringify({ email, password, fingerprint: 'none' });
    const headers = { 'Content-Type': 'application/json' };
    const ask = (more: Record<string, string>) =>
      fetch(demo.url('/api/sign-up'), { method: 'POST', headers: { ...headers, ...more }, body: fields });
    expect((await ask({ Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask({})).status).toBe(403);
    // A form of another site can send this.
    expect((await ask({ Origin: new URL(demo.url('/')).origin, 'Content-Type': 'text/plain' })).status).toBe(415);

    const cookies = await post(demo, 'log-out', {});
    const visitor = /visitor=[\w-]+/.exec(cookies)?.[0] ?? '';
    await post(demo, 'sign-up', { email, password, fingerprint: 'an opaque fingerprint' }, visitor);
    const ending = new AbortController();
    const { body } = await fetch(demo.url('/api/events'), { headers: { Cookie: visitor }, signal: ending.signal });
    let received = '';
    for await (const chunk of body ?? []) {
      received += Buffer.from(chunk).toString('utf8');
      if (received.includes(': listening')) break;
    }
    ending.abort();
    expect(received).toContain('/v2/device/evaluate');
    expect(received).toContain('an opaque fingerprint');
    expect(received).not.toContain(password);
    expect(received).not.toMatch(/sk_test_/);
  });
});

describe('the seed', () => {
  const seed = () => start({ WHORL_DEMO_SEED_DAYS: '1' }, demoProgram.replace(/main\.js$/, 'seed/main.js'));

  test('creates the history once, before today', async () => {
    const beforeSeed = Date.now();
    const first = seed();
    expect(await first.ended, first.output()).toBe(0);
    expect(first.output()).toMatch(/Created history from .*\n +\d+ {2}evaluations\n.* users\n/s);
    const again = seed();
    expect(await again.ended).toBe(0);
    expect(again.output()).toMatch(/already exists\. Nothing was added:\n/);

    const address = (await waitUntilStarted(start())).url('');
    const { keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
    const history = `${address.replace(ports.PORT, ports.SERVICE_PORT)}/v2/proj/access-history`;
    const answer = await fetch(history, { headers: { Authorization: `Bearer ${keys.test.secret}` } });
    const { data, total } = await answer.json();
    const countOf = (what: string) => Number(new RegExp(`(\\d+)  ${what}\\n`).exec(first.output())?.[1]);
    expect(total).toBe(countOf('evaluations') + countOf('attachments'));
    // The newest is first.
    expect(Date.parse(data[0].createdAt)).toBeLessThan(beforeSeed);

    // Only one process can use the database and the port.
    await rm(join(folder, 'seed.json'));
    const late = seed();
    expect(await late.ended).toBe(1);
    expect(late.output()).toContain(`Port ${ports.PORT} is in use.`);
  });
});
