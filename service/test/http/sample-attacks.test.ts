import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { root } from '../../../test/package/installed.js';
import { call, codeOf, importModule, writeModule } from '../../../test/package/run-sample.js';
import { failingAnswer, type ServiceState } from '../support/attacks.js';
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
  post(body: string, type?: string): Promise<Answer>;
}

/** The samples are run beside the repository's packages, where `whorl` is found. */
const folder = join(root, 'node_modules/.cache/whorl-sample-attacks', randomUUID());
const installed = { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };

let service: TestService;
let project: TestProject;
/** What the service answers from now on. */
let state: ServiceState = 'up';
/** Passes requests of the samples on to the service, or answers as a service that fails does. */
const front = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (state === 'unreachable') return request.socket.destroy();
  const { authorization = '' } = request.headers;
  const body = chunks.length ? Buffer.concat(chunks) : null;
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
  const { method = 'GET', url = '/' } = request;
  const answer = failingAnswer(state) ?? (await fetch(service.url + url, { method, headers, body }));
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  response.end(await answer.text());
});
let frontUrl: string;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  service = await startService({ database: 'embedded' });
  const port = await freePort();
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve));
  frontUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  front.close();
  await service?.close();
  installed.remove();
});

/** Imports a sample whose functions take a `Request` and the visitor's address. */
async function importLogin(name: string): Promise<Subject> {
  vi.stubEnv('WHORL_API_SECRET', project.keys.live.secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const members = await importModule(installed, codeOf(name, { serviceUrl: frontUrl }), {
    findAccount: async (email: unknown) => (email === account.email ? account : undefined),
    isPasswordOf: async (found: unknown, password: unknown) => found === account && password === passwords.right,
    letIn: (user: string, rights: string) => Response.json({ user, rights }),
    remember: () => undefined,
  });
  return {
    async post(body, type = 'application/json') {
      const headers = { 'content-type': type };
      const request = new Request('https://shop.example/login', { method: 'POST', headers, body });
      // A framework answers 500 to an error.
      const response = await call<Promise<Response>>(members, 'login', request, ip).catch(() =>
        Response.json({}, { status: 500 }),
      );
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    },
  };
}

/** Starts the server of the quick start, and returns its address. */
async function startServer(): Promise<string> {
  const code = codeOf('docs/quick-start.md, 4. Your server, 1', { serviceUrl: frontUrl });
  const file = writeModule(installed, code.replace('http://localhost:4200', frontUrl));
  const port = await freePort();
  const environment = { WHORL_API_SECRET: project.keys.live.secret, PORT: String(port) };
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...environment }, stdio: 'inherit' });
  onTestFinished(() => void child.kill());
  const url = `http://localhost:${port}`;
  await until('The start', () => fetch(url));
  return url;
}

/** A browser of the quick start's pages, which keeps the cookie of its session. */
function openBrowser(url: string) {
  let cookie = '';
  return {
    async post(path: string, body: string, type = 'application/json'): Promise<Answer> {
      const headers = { 'content-type': type, cookie };
      const response = await fetch(url + path, { method: 'POST', headers, body });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
    },
  };
}

async function startLogin(path: string): Promise<Subject> {
  const { post } = openBrowser(await startServer());
  return { post: (body, type) => post(path, body, type) };
}

/** How each sample is started, and its answer to a right password of a browser without a readable fingerprint. */
const subjects: Readonly<Record<string, { start(): Promise<Subject>; right: object }>> = {
  'docs/assistants.md': {
    start: () => importLogin('docs/assistants.md, A login, 2'),
    right: { status: 200, body: { code_sent_to: expect.any(String) } },
  },
  'docs/quick-start.md': {
    start: () => startLogin('/login'),
    right: { status: 200, body: { needsCode: true } },
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

  test('refuses the form of another site, and does not count it', async () => {
    const { subject, failures } = await begin();
    const body = JSON.stringify({ email: account.email, password: passwords.wrong, fingerprint: laptop });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect(await subject.post(body, type)).toMatchObject({ status: 415 });
    }
    expect(await failures()).toEqual([]);
  });

  // The sample for assistants lets users in while the service is unavailable, as its text says. Busy is not unavailable.
  const failing = (['unreachable', '500', '429', 'user_busy'] as const).filter(
    (each) => name !== 'docs/assistants.md' || each === '429' || each === 'user_busy',
  );
  test.each(failing)('lets nobody in while the service answers %s, and tells no right password', async (each) => {
    const { logIn } = await begin();
    state = each;
    onTestFinished(() => {
      state = 'up';
    });
    const right = await logIn('right', { fingerprint: laptop });
    expect(right.status).toBeGreaterThanOrEqual(400);
    expect(await logIn('wrong', { fingerprint: laptop })).toEqual(right);
  });

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
  const { post } = await startLogin('/login');
  for (const body of ['{', '', `"${'x'.repeat(200_000)}"`]) expect(await post(body)).toMatchObject({ status: 400 });
  for (const body of ['null', '"x"', '[]']) expect([body, await post(body)]).toMatchObject([body, { status: 401 }]);
});

test('a code that another browser enters into the quick start lets nobody in', async () => {
  project = await service.newProject();
  const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
  const url = await startServer();
  const [attacker, victim] = [openBrowser(url), openBrowser(url)];
  const login = JSON.stringify({ email: account.email, password: passwords.right, fingerprint: laptop });
  expect(await attacker.post('/login', login)).toMatchObject({ status: 200, body: { needsCode: true } });
  const { _id: id } = (await whorl.challenges.list()).data[0] ?? {};
  const code = service.outbox.at(-1)?.code;
  for (const named of [{}, { challenge: id, challenge_id: id, session: { challenge: id }, user: account.id }]) {
    const entered = await victim.post(`/code?challenge=${id}&challenge_id=${id}`, JSON.stringify({ code, ...named }));
    expect(entered).toMatchObject({ status: 401, body: { message: 'Log in again.' } });
  }
  expect(await whorl.challenges.list()).toMatchObject({ data: [{ _id: id, status: 'pending' }] });
  // Where it was begun, the same code is right.
  expect(await attacker.post('/code', JSON.stringify({ code }))).toMatchObject({ status: 200 });
});
