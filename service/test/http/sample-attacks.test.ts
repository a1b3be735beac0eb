import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { root } from '../../../test/package/installed.js';
import { call, codeOf, importModule, writeModule } from '../../../test/package/run-sample.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { malformedFields } from '../support/malformed-fields.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const ip = '198.51.100.7';
const account = { id: 'account-1', email: 'ann@example.com' };
const passwords = { right: 'correct horse', wrong: 'another' };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The login of a sample. */
interface Subject {
  post(body: string): Promise<Answer>;
}

/** The samples are run beside the repository's packages, where `whorl` is found. */
const folder = join(root, 'node_modules/.cache/whorl-sample-attacks', randomUUID());
const installed = { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  service = await startService({ database: 'embedded' });
});
afterAll(async () => {
  await service?.close();
  installed.remove();
});

/** Imports a sample whose functions take a `Request` and the visitor's address. */
async function importLogin(name: string): Promise<Subject> {
  vi.stubEnv('WHORL_API_SECRET', project.keys.live.secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const members = await importModule(installed, codeOf(name, { serviceUrl: service.url }), {
    findAccount: async (email: unknown) => (email === account.email ? account : undefined),
    isPasswordOf: async (found: unknown, password: unknown) => found === account && password === passwords.right,
    letIn: (user: string, rights: string) => Response.json({ user, rights }),
    remember: () => undefined,
  });
  return {
    async post(body) {
      const request = new Request('https://shop.example/login', { method: 'POST', body });
      const response = await call<Promise<Response>>(members, 'login', request, ip);
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Starts the server of the quick start. */
async function startServer(path: string): Promise<Subject> {
  const code = codeOf('docs/quick-start.md, 4. Your server, 1', { serviceUrl: service.url });
  const file = writeModule(installed, code.replace('http://localhost:4200', service.url));
  const port = await freePort();
  const environment = {
    WHORL_API_SECRET: project.keys.live.secret,
    WHORL_PROJECT: project.project.id,
    PORT: String(port),
  };
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...environment }, stdio: 'inherit' });
  onTestFinished(() => void child.kill());
  const url = `http://localhost:${port}`;
  await until('The start', () => fetch(url));
  return {
    async post(body) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body });
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    },
  };
}

/** How each sample is started, and its answer to a right password of a browser without a readable fingerprint. */
const subjects: Readonly<Record<string, { start(): Promise<Subject>; right: object }>> = {
  'docs/server.md': {
    start: () => importLogin('docs/server.md, A login, 2'),
    right: { status: 200, body: { code_sent_to: expect.any(String) } },
  },
  'docs/assistants.md': {
    start: () => importLogin('docs/assistants.md, A login, 2'),
    right: { status: 200, body: { code_sent_to: expect.any(String) } },
  },
  'docs/quick-start.md, server flow': {
    start: () => startServer('/login'),
    right: { status: 200, body: { needsCode: true } },
  },
  'docs/quick-start.md, browser flow': {
    start: () => startServer('/password'),
    right: { status: 200, body: { user: account.id } },
  },
};

describe.each(Object.entries(subjects))('%s', (name, { start, right: expected }) => {
  async function begin() {
    project = await service.newProject();
    const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
    const subject = await start();
    const logIn = (password: 'right' | 'wrong', fields: object) =>
      subject.post(JSON.stringify({ email: account.email, password: passwords[password], ...fields }));
    const failures = async () => (await whorl.legacy.accessHistory({ outcome: 'failed' })).data;
    return { subject, whorl, logIn, failures };
  }

  test('counts every wrong password, whatever a script sends, and asks for a code after a right one', async () => {
    const { logIn, failures } = await begin();
    expect(await logIn('right', {})).toMatchObject(expected);
    let counted = 0;
    for (const [attack, fields] of Object.entries(malformedFields)) {
      expect([attack, await logIn('wrong', fields)]).toMatchObject([attack, { status: 401 }]);
      expect([attack, await failures()]).toMatchObject([attack, { length: ++counted }]);
    }
    for (const { ip } of await failures()) expect(ip).toBeDefined();
  });

  test.each(Object.entries(malformedFields))(
    '%s: a right password is not answered with an error',
    async (_, fields) => {
      const { logIn } = await begin();
      expect(await logIn('right', fields)).toMatchObject(expected);
    },
  );

  test('counts an entered name that is no text, or long', async () => {
    const { logIn, failures } = await begin();
    const names = [undefined, null, '', 'x'.repeat(5000), 'a\u0000', { toString: 1 }, [[]]];
    for (const email of names) {
      expect([email, await logIn('wrong', { fingerprint: laptop, email })]).toMatchObject([email, { status: 401 }]);
    }
    expect(await failures()).toHaveLength(names.length);
  });

  // The page of the browser flow has to learn for whom it calls `evaluate`.
  if (name.endsWith('browser flow')) return;

  test('answers a right password of a suspended user as a wrong one', async () => {
    const { whorl, logIn } = await begin();
    await whorl.evaluate({ action: 'signup', user: account.id, fingerprint: laptop, ip });
    await whorl.users.update(account.id, { status: 'suspended' });
    const right = await logIn('right', { fingerprint: laptop });
    expect(right.status).toBe(403);
    expect(await logIn('wrong', { fingerprint: laptop })).toEqual(right);
  });
});

test('the server of the quick start survives a body that is not JSON, or too long', async () => {
  project = await service.newProject();
  const { post } = await startServer('/login');
  for (const body of ['{', '', `"${'x'.repeat(200_000)}"`]) expect(await post(body)).toMatchObject({ status: 400 });
  for (const body of ['null', '"x"', '[]']) expect([body, await post(body)]).toMatchObject([body, { status: 401 }]);
});
