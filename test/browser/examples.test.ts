import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isExampleInstalled, separateExamples } from '../../scripts/example-packages.mjs';
import { embeddedTemplate } from '../../service/test/support/embedded-template';
import { copyFolder } from '../../service/test/support/folders';
import { chromium } from './harness/chromium';
import { engines } from './harness/engines';
import { firefox } from './harness/firefox';
import { freePort } from './harness/free-port';
import { openSession } from './harness/shared-browsers';
import type { TetheredProcess } from './harness/tethered-process';
import type { BrowserSession, TestPage } from './harness/types';
import { click, type DemoServer, demoEnvironment, newestCode, shows, startDemo } from './support/demo';
import { startExample } from './support/examples';
import { fillIn, submitForm } from './support/forms';
import { getHash } from './support/whorl';

const hasPhp = !spawnSync('php', ['--version']).error;
const names = [
  'react-express',
  'vue-fastify',
  'better-auth',
  'auth-js',
  'passport',
  'passkey',
  'script-tag-php',
  ...separateExamples,
];
const isAvailable = chromium.available() && firefox.available();

describe.skipIf(!isAvailable)('the examples', () => {
  let demo: DemoServer;
  let sessions: BrowserSession[];
  let proxy: Server;
  let isServiceUp = true;
  /** Whether sign-ups are judged like logins, whose new devices need a code. */
  let areSignUpsChallenged = false;
  let running: TetheredProcess | undefined;
  /** The examples that a test has built, whose build the next one starts. */
  const built = new Set<string>();

  beforeAll(async () => {
    demo = await startDemo();
    sessions = [await openSession(chromium), await openSession(firefox)];
    // Between the examples and the service, which can be made unreachable here.
    proxy = createServer(async (request, response) => {
      if (!isServiceUp) return request.destroy();
      const { host, connection, 'content-length': length, ...headers } = request.headers;
      const sent = await buffer(request);
      const body = areSignUpsChallenged ? Buffer.from(sent.toString().replace('"signup"', '"login"')) : sent;
      const answer = await fetch(demo.serviceUrl + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length && { body }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    isServiceUp = true;
    areSignUpsChallenged = false;
    await running?.end();
  });
  afterAll(async () => {
    for (const session of sessions ?? []) await session.close();
    proxy?.close();
    await demo?.close();
  });

  /** Starts an example as `npm run example` does, and returns its URL and what it printed. */
  async function start(name: string, environment: NodeJS.ProcessEnv) {
    const example = await startExample(name, environment, {
      isBuilt: built.has(name),
      onStart: (child) => (running = child),
    });
    built.add(name);
    return example;
  }

  test.for(names)('%s: a code on a second device, once', async (name, { skip }) => {
    if (name === 'script-tag-php' && !hasPhp) skip('There is no PHP.');
    if (separateExamples.includes(name) && !isExampleInstalled(name)) skip('Its packages are not installed.');
    const { secret } = await demo.project();
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { url } = await start(name, {
      ...process.env,
      WHORL_URL: `http://127.0.0.1:${port}`,
      WHORL_API_SECRET: secret,
    });
    // The workers keep accounts on disk, so each attempt needs its own.
    const email = `${name}-${randomUUID()}@example.com`;
    const enter = (page: TestPage, button: 'Log in' | 'Sign up', fields = { email, password: 'correct horse' }) =>
      fillIn(page, '#entry', fields).then(() => click(page, button));
    const pages: TestPage[] = [];
    for (const session of sessions) pages.push(await session.open(`${url}/`));
    const [first, second] = pages;
    if (!first || !second) throw new Error('There are not two browsers.');

    await shows(first, /Sign up/);
    await enter(first, 'Sign up');
    await shows(first, new RegExp(`Hello, ${email}`));

    await shows(second, /Sign up/);
    await enter(second, 'Log in', { email, password: 'wrong' });
    await shows(second, /Wrong email address or password/);
    await enter(second, 'Log in');
    await shows(second, /Enter the code that was sent to/);
    await submitForm(second, '.whorl-challenge', { code: await newestCode(demo, email) });
    await shows(second, new RegExp(`Hello, ${email}`));
    if (name === 'react-express') await shows(second, /Your devices.*This device.*Sign out/s);

    await click(second, 'Log out');
    await shows(second, /Sign up/);
    await enter(second, 'Log in');
    await shows(second, new RegExp(`Hello, ${email}`));

    areSignUpsChallenged = true;
    const another = { email: `another-${email}`, password: 'correct horse' };
    await click(first, 'Log out');
    await shows(first, /Sign up/);
    await enter(first, 'Sign up', another);
    await shows(first, /Enter the code that was sent to/);
    await submitForm(first, '.whorl-challenge', { code: await newestCode(demo, another.email) });
    await shows(first, new RegExp(`Hello, ${another.email}`));

    // The browser is known, an account that signs up is not.
    isServiceUp = false;
    await click(second, 'Log out');
    await shows(second, /Sign up/);
    await enter(second, 'Sign up', { email: `new-${email}`, password: 'correct horse' });
    await shows(second, /This cannot be checked at the moment/);
    await enter(second, 'Log in');
    await shows(second, new RegExp(`Hello, ${email}`));
    for (const page of pages) await page.close();
  });

  test('angular: with zone.js, both builds read the same in each engine', async ({ skip }) => {
    if (!isExampleInstalled('angular')) skip('Its packages are not installed.');
    const { secret } = await demo.project();
    const { url } = await start('angular', {
      ...process.env,
      WHORL_URL: demo.serviceUrl,
      WHORL_API_SECRET: secret,
    });
    for (const engine of engines.filter((each) => each.available())) {
      const email = `${engine.name}-${randomUUID()}@example.com`;
      const session = await openSession(engine);
      try {
        const page = await session.open(`${url}/`);
        await shows(page, /Sign up/);
        expect(await page.evaluate<boolean>("'Zone' in window")).toBe(true);
        await fillIn(page, '#entry', { email, password: 'correct horse' });
        await click(page, 'Sign up');
        await shows(page, new RegExp(`Hello, ${email}`));

        await page.goto(`${url}/script-tag/`);
        await shows(page, /Log in/);
        expect(await page.evaluate<boolean>("'Zone' in window")).toBe(true);
        // The last fingerprint is that of the page before, which has the build from npm.
        const [current, last] = await getHash(page);
        expect(current).toBe(last);
        await fillIn(page, '#entry', { email, password: 'correct horse' });
        await click(page, 'Log in');
        // The project's other accounts on this device may cause a challenge.
        await shows(page, new RegExp(`Hello, ${email}|A code is needed`));
      } finally {
        await session.close();
      }
    }
  });

  test('start with a service and a mailbox of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-example-'));
    await mkdir(join(folder, 'service'));
    await copyFolder(await embeddedTemplate(), join(folder, 'service'));
    try {
      const { url, said } = await start('react-express', {
        ...demoEnvironment(folder, await freePort()),
        DEMO_PORT: '0',
      });
      expect(said).toMatch(/The mailbox, where codes arrive: http\S+#mailbox\nThe dashboard: http/);
      expect((await fetch(`${url}/whorl/nonce`, { method: 'POST' })).status).toBe(200);
    } finally {
      await running?.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  });
});
