import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledMain } from '../../../service/test/support/compile';
import { embeddedTemplate } from '../../../service/test/support/embedded-template';
import { engineOptions } from '../../../service/test/support/engine-options';
import { copyFolder } from '../../../service/test/support/folders';
import { startTethered } from '../harness/tethered-process';
import { until } from '../harness/until';

const run = promisify(execFile);
const START_MS = 480_000;

interface Keys {
  readonly secret: string;
  readonly publishable: string;
}

/** The real service with one project, on its own embedded database. */
export interface RunningService {
  readonly origin: string;
  /** Keys of the test world. */
  readonly keys: Keys;
  readonly liveKeys: Keys;
  /** Sends a request of the customer's server with a secret key. Default: that of the test world. */
  post(path: string, body?: object, key?: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Sends a GET request with the secret key and returns the body. */
  get(path: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Returns the set-up link of the first administrator, from the service's folder. */
  setUpUrl(): string;
  close(): Promise<void>;
}

/** Runs a command of the service's command line, and returns its output. */
export async function runServiceCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return (await run(process.execPath, [...engineOptions, await compiledMain(), ...words], { env })).stdout;
}

/** Returns settings as the command line takes them. */
export function wordsOf(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [name, JSON.stringify(value)]);
}

/** Starts the service by its command line, as an operator does. `more` is added to the environment. */
export async function startRealService(
  settings: Readonly<Record<string, unknown>>,
  more: NodeJS.ProcessEnv = {},
): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'whorl-service-'));
  await copyFolder(await embeddedTemplate(), folder);
  // No page here has a public address.
  const fixed = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ADDRESS_DATABASES: 'none' };
  const env = { ...process.env, DATA_FOLDER: folder, ...fixed, ...more };
  const created = await runServiceCommand(['project', 'create', '--name', 'Shop', ...wordsOf(settings)], env);
  const service = startTethered(process.execPath, [...engineOptions, await compiledMain(), 'start'], env);
  let said = '';
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (said += text));
  const port = await until(
    'The start of the service',
    () => (service.running() ? /"url":"[^"]*:(\d+)"/.exec(said)?.[1] : 'none'),
    { timeoutMs: START_MS },
  );
  if (port === 'none') throw new Error(`The service did not start: ${said}`);
  const origin = `http://127.0.0.1:${port}`;
  // Test keys, because live keys challenge an automated browser.
  const keysOf = (mode: string) => ({
    secret: keyIn(created, `sk_${mode}_`),
    publishable: keyIn(created, `pk_${mode}_`),
  });
  const keys = keysOf('test');
  return {
    origin,
    keys,
    liveKeys: keysOf('live'),
    async post(path, body, key = keys.secret) {
      const response = await fetch(origin + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async get(path) {
      const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${keys.secret}` } });
      return response.json();
    },
    setUpUrl() {
      const [path] =
        /\/dashboard\/set-up\?token=[\w-]+/.exec(readFileSync(join(folder, 'set-up-link.txt'), 'utf8')) ?? [];
      if (path === undefined) throw new Error(`It left no link: ${said}`);
      return origin + path;
    },
    async close() {
      await service.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function keyIn(text: string, prefix: string): string {
  const key = new RegExp(`${prefix}\\w+`).exec(text)?.[0];
  if (!key) throw new Error(`There is no ${prefix} key in: ${text}`);
  return key;
}
