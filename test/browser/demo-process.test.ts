import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { addressesIn, DEMO_START_MS, demoEnvironment, demoProgram, post, signUpElsewhere } from './support/demo';

const timeout = 2 * DEMO_START_MS;
const email = 'ann@example.com';
const password = 'correct horse';

interface Started {
  readonly process: ChildProcess;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly said: () => string;
}

/** Where a first start has made project and tables, which takes long. Each test works with a copy. */
let prepared: string;
let ports: { PORT: string; SERVICE_PORT: string };
let folder: string;
let started: Started[] = [];

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'whorl-demo-'));
  ports = { PORT: String(await freePort()), SERVICE_PORT: String(await freePort()) };
  folder = prepared;
  const first = start();
  await untilUp(first);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
}, timeout);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-demo-'));
  await cp(prepared, folder, { recursive: true });
});
afterEach(async () => {
  for (const { process } of started) process.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  started = [];
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
afterAll(() => rm(prepared, { recursive: true, force: true }));

function start(environment: NodeJS.ProcessEnv = {}, program = demoProgram): Started {
  const child = spawn(process.execPath, [program], {
    env: { ...demoEnvironment(folder), ...ports, ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const one = { process: child, ended, said: () => text };
  started.push(one);
  return one;
}

/** Waits until it is up, and answers what can be asked of it. */
async function untilUp({ process, said }: Started): Promise<{ url(path: string): string }> {
  const { address } = await until(
    'The start of the demo',
    () => {
      if (process.exitCode !== null) throw new Error(`It ended: ${said()}`);
      return addressesIn(said());
    },
    { timeoutMs: DEMO_START_MS },
  );
  return { url: (path) => address + path };
}

/** The processes that it started. */
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

async function takenPort(): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('No port');
  return { port: address.port, free: () => new Promise((resolve) => server.close(() => resolve())) };
}

describe('what keeps the demo from starting is said in a sentence:', () => {
  test.each([
    ['PORT', 'for the pages'],
    ['SERVICE_PORT', 'for the service'],
  ])('a taken %s', async (variable, what) => {
    const { port, free } = await takenPort();
    try {
      const demo = start({ [variable]: String(port) });
      expect(await demo.ended).toBe(1);
      expect(demo.said()).toMatch(new RegExp(`Port ${port} is in use. .* ${what} with ${variable}=`));
      expect(demo.said()).not.toContain('    at ');
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
    expect(demo.said()).toContain(sentence);
  });
});

describe('the demo that runs', () => {
  test('keeps users and keys for itself, and over a restart; Ctrl-C ends all of it', { timeout }, async () => {
    const first = start();
    await signUpElsewhere(await untilUp(first), email, password);
    const [link = ''] = /http:\S+\/dashboard\/set-up\?token=[\w-]{43}/.exec(first.said()) ?? [];
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

    const again = await untilUp(start());
    // The account is there, and so is what the service knows of its device.
    await signUpElsewhere(again, 'other@example.com', password);
    await expect(signUpElsewhere(again, email, password)).rejects.toThrow('"taken"');
  });

  test('leaves no service behind when it is killed', { timeout }, async () => {
    const demo = start();
    await untilUp(demo);
    const [service] = childrenOf(demo.process);
    if (service === undefined) throw new Error('There is no service');
    demo.process.kill('SIGKILL');
    await until('The end of the service', () => !isRunning(service) || undefined);
  });

  test('ends with the service, and says why', { timeout }, async () => {
    const demo = start();
    await untilUp(demo);
    const [service] = childrenOf(demo.process);
    if (service === undefined) throw new Error('There is no service');
    process.kill(service, 'SIGKILL');
    expect(await demo.ended).toBe(1);
    expect(demo.said()).toContain('The service stopped, so the demo stops too.');
  });

  test('is told of what happens by webhooks, and believes none that is not signed', { timeout }, async () => {
    const demo = await untilUp(start());
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
    let told = '';
    for await (const chunk of events ?? []) {
      told += Buffer.from(chunk).toString('utf8');
      if (told.includes('challenge.initiated')) break;
    }
    ending.abort();
    expect(told).toContain('"from":"service","to":"server","method":"POST","path":"/webhooks"');
    expect(told).not.toContain('forged');
  });

  test('believes its own pages alone, and shows no secret', { timeout }, async () => {
    const demo = await untilUp(start());
    const fields = JSON.stringify({ email, password, fingerprint: 'none' });
    const headers = { 'Content-Type': 'application/json' };
    const ask = (more: Record<string, string>) =>
      fetch(demo.url('/api/sign-up'), { method: 'POST', headers: { ...headers, ...more }, body: fields });
    expect((await ask({ Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask({})).status).toBe(403);
    // What a form of another site can send.
    expect((await ask({ Origin: new URL(demo.url('/')).origin, 'Content-Type': 'text/plain' })).status).toBe(415);

    const cookies = await post(demo, 'log-out', {});
    const visitor = /visitor=[\w-]+/.exec(cookies)?.[0] ?? '';
    await post(demo, 'sign-up', { email, password, fingerprint: 'an opaque fingerprint' }, visitor);
    const ending = new AbortController();
    const { body } = await fetch(demo.url('/api/events'), { headers: { Cookie: visitor }, signal: ending.signal });
    let told = '';
    for await (const chunk of body ?? []) {
      told += Buffer.from(chunk).toString('utf8');
      if (told.includes(': listening')) break;
    }
    ending.abort();
    expect(told).toContain('/v2/device/evaluate');
    expect(told).toContain('an opaque fingerprint');
    expect(told).not.toContain(password);
    expect(told).not.toMatch(/sk_test_/);
  });
});

describe('the seed', () => {
  const seed = () => start({ WHORL_DEMO_SEED_DAYS: '1' }, demoProgram.replace(/main\.js$/, 'seed/main.js'));

  test('fills the demo once, with what happened before today', { timeout }, async () => {
    const beforeSeed = Date.now();
    const first = seed();
    expect(await first.ended, first.said()).toBe(0);
    expect(first.said()).toMatch(/Created history from .*\n +\d+ {2}evaluations\n.* users\n/s);
    const again = seed();
    expect(await again.ended).toBe(0);
    expect(again.said()).toMatch(/already exists\. Nothing was added:\n/);

    const address = (await untilUp(start())).url('');
    const { keys } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
    const history = `${address.replace(ports.PORT, ports.SERVICE_PORT)}/v2/proj/access-history`;
    const answer = await fetch(history, { headers: { Authorization: `Bearer ${keys.test.secret}` } });
    const { data, total } = await answer.json();
    const made = (what: string) => Number(new RegExp(`(\\d+)  ${what}\\n`).exec(first.said())?.[1]);
    expect(total).toBe(made('evaluations') + made('attachments'));
    // The newest comes first.
    expect(Date.parse(data[0].createdAt)).toBeLessThan(beforeSeed);

    // The database is one process's alone, and so is the port.
    await rm(join(folder, 'seed.json'));
    const late = seed();
    expect(await late.ended).toBe(1);
    expect(late.said()).toContain(`Port ${ports.PORT} is in use.`);
  });
});
