import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage, root, runNode } from '../package/installed';
import { sample } from '../package/samples';
import { chromium } from './harness/chromium';
import { freePort } from './harness/free-port';
import { openSession } from './harness/shared-browsers';
import { startTethered, type TetheredProcess } from './harness/tethered-process';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { type DemoServer, newestCode, shows, startDemo } from './support/demo';
import { submitForm } from './support/forms';

/** The variants of docs/quick-start.md, each copied into an empty folder and run as by a new user. */
const variants = [
  { name: 'npm', withTag: false },
  { name: 'script-tag', withTag: true },
];
const pageScript = 'docs/quick-start.md, With npm, 1';
const form = 'docs/quick-start.md, 2. Your application, 2';
const bundling = 'docs/quick-start.md, With npm, 2';
const formScript = 'docs/quick-start.md, 2. Your application, 3';
const tag = 'docs/quick-start.md, With a script tag, 1';
const insteadOfImport = 'docs/quick-start.md, With a script tag, 2';
const server = 'docs/quick-start.md, 4. Your server, 1';

describe.skipIf(!chromium.available())('docs/quick-start.md', () => {
  let demo: DemoServer;
  let installed: InstalledPackage;
  let session: BrowserSession;
  let page: TestPage;
  let port: number;
  const running: TetheredProcess[] = [];

  beforeAll(async () => {
    port = await freePort();
    demo = await startDemo({ WHORL_DEMO_ORIGINS: `http://localhost:${port}` });
    installed = await installPackage();
    session = await openSession(chromium);
    page = await session.open();
  });
  afterAll(async () => {
    await session?.close();
    installed?.remove();
    await demo?.close();
  });

  /** Writes a sample of the guide into the folder of the application, with the real keys and URLs. */
  async function write(path: string, text: string, name: string, serviceUrl = demo.serviceUrl): Promise<void> {
    const file = join(installed.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const filled = text
      .replaceAll('http://localhost:4200', serviceUrl)
      // Each variant has its own account, for which the browser is new.
      .replaceAll('account-1', name)
      .replaceAll('ann@example.com', `${name}@example.com`);
    writeFileSync(file, filled);
  }

  async function build({ name, withTag }: (typeof variants)[number]): Promise<void> {
    const ownScript = '    <script type="module"';
    const markup = sample(form).code;
    await write('public/index.html', withTag ? markup.replace(ownScript, sample(tag).code + ownScript) : markup, name);
    await write('public/form.js', sample(formScript).code, name);
    const ofNpm = sample(pageScript).code;
    const importOfPackage = /^import .* from 'whorl';\n/m;
    expect(ofNpm).toMatch(importOfPackage);
    const script = withTag ? ofNpm.replace(importOfPackage, sample(insteadOfImport).code) : ofNpm;
    await write('public/page.js', script, name);
    await write('server.mjs', sample(server).code, name);
    if (withTag) return;
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const [, command = ''] = /^npx vite (.*)$/m.exec(sample(bundling).code) ?? [];
    const { code, stdout, stderr } = await runNode(installed.folder, vite, ...command.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toMatch(/\(!\)|warn/i);
  }

  /** @returns All that the application has written so far. */
  async function serve(pages: string, apiSecret?: string): Promise<() => string> {
    const { secret } = await demo.project();
    const environment = { WHORL_API_SECRET: apiSecret ?? secret, PAGES: pages, PORT: String(port) };
    const server = startTethered(
      '/bin/sh',
      ['-c', `cd "$0" && exec "$1" server.mjs`, installed.folder, process.execPath],
      {
        ...process.env,
        ...environment,
      },
    );
    running.push(server);
    let said = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text));
    await until('The start of the application', () => {
      if (!server.running()) throw new Error(said);
      return said.includes(`http://localhost:${port}`) || undefined;
    });
    return () => said;
  }

  async function stop(): Promise<void> {
    for (const server of running.splice(0)) await server.end();
  }

  const submit = (form: string, values: Record<string, string>) => submitForm(page, form, values);

  test.each(variants)('$name: a code on the new device, and none the next time', async (variant) => {
    await build(variant);
    await serve(variant.withTag ? 'public' : 'dist');
    try {
      const email = `${variant.name}@example.com`;
      const login = { email, password: 'correct horse' };
      await page.goto(`http://localhost:${port}/`);
      await submit('#login', { ...login, password: 'another' });
      await shows(page, /The address or the password is wrong/);
      await submit('#login', login);
      await shows(page, /Enter the code that was sent to \S+@e\*+\.com/);
      const code = await newestCode(demo, email);
      await submit('#code', { code: code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) });
      await shows(page, /This code is wrong. 4 attempts left/);
      await submit('#code', { code });
      await shows(page, /You are in. This device is trusted now/);
      await submit('#login', login);
      await shows(page, /You are in\.$/m);
    } finally {
      await stop();
    }
  });

  /** Logs in without a page, and returns the answer. */
  async function logIn(): Promise<{ status: number; message: string }> {
    const response = await fetch(`http://localhost:${port}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'away@example.com', password: 'correct horse', fingerprint: 'one' }),
    });
    return { status: response.status, ...(await response.json()) };
  }

  const outOfOrder = { status: 503, message: expect.stringContaining('Try again soon') };

  test('if the service is unreachable, nobody is logged in, and an error is shown', async () => {
    await write('server.mjs', sample(server).code, 'away', `http://localhost:${await freePort()}`);
    await serve('public');
    try {
      expect(await logIn()).toEqual(outOfOrder);
    } finally {
      await stop();
    }
  });

  test('a wrong key is not blamed on the visitor, and is logged', async () => {
    await write('server.mjs', sample(server).code, 'away');
    const said = await serve('public', 'sk_test_wrong');
    try {
      expect(await logIn()).toEqual(outOfOrder);
      await until('The line of the log', () => said().includes("code: 'unauthorized'") || undefined);
    } finally {
      await stop();
    }
  });
});
