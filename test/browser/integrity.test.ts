import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IntegrityBit, readIntegrity } from '../../src/fingerprint/integrity';
import { parse } from '../../src/fingerprint/parse';
import { chromium } from './harness/chromium';
import { ChromiumPage } from './harness/chromium-page';
import { describeEngines } from './harness/engines';
import { found } from './harness/found';
import { startServer, type TestServer } from './harness/server';
import { startTethered } from './harness/tethered-process';
import type { EngineName, TestPage } from './harness/types';
import { until } from './harness/until';
import { xDisplay } from './harness/xvfb';
import identities from './support/identities.json' with { type: 'json' };
import { type RunningService, startRealService } from './support/service';
import { openPage } from './support/session';
import { farble, injectIdentity, replaceGetters, replaceMousePositions } from './support/spoof';
import { differences, getHash, load, unreadableFacets, visit } from './support/whorl';

/** Bits that every driven browser sets. */
const ofDrivers: readonly IntegrityBit[] = ['webdriver', 'headless_user_agent', 'inspected'];

function bitsOf(fingerprint: string): IntegrityBit[] {
  const parsed = parse(fingerprint);
  if (!parsed) throw new Error(`Not a fingerprint: ${fingerprint}`);
  return readIntegrity(parsed.integrity);
}

const spoofingOf = (fingerprint: string) => bitsOf(fingerprint).filter((bit) => !ofDrivers.includes(bit));

describe.skipIf(!chromium.available())('a spoofed page', () => {
  const workerUrl = '/dist/whorl-worker.min.js';
  let server: TestServer;
  let page: TestPage;
  let clean: string;

  beforeAll(async () => {
    const opened = await openPage(chromium, startServer);
    ({ server, page } = opened);
    [clean] = await visit(page, server.url('/blank.html'));
    return opened.close;
  });

  async function visitSpoofed<Args extends unknown[]>(spoof: (...args: Args) => void, ...args: Args): Promise<void> {
    await page.goto(server.url('/blank.html'));
    await page.evaluate(spoof, ...args);
    await load(page);
  }

  test('a page without spoofing shows only automation', () => {
    expect(bitsOf(clean)).toEqual(ofDrivers);
  });

  test.each([
    ['__PWA_INSTALL__', ofDrivers],
    ['%hammerhead%', ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected']],
    ['__pwInitScripts', ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected']],
    ['$cdc_asdjflasutopfhvcZLmcfl_', ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected']],
  ])('with the name %s on window sets %j', async (name, bits) => {
    await visitSpoofed((added) => {
      Object.assign(window, { [added]: true });
    }, name);
    expect(bitsOf((await getHash(page))[0])).toEqual(bits);
  });

  test.each(identities.map((identity) => ({ name: identity.renderer, identity })))(
    'behind an injected identity ($name) is the same device',
    async ({ identity }) => {
      await visitSpoofed(injectIdentity, identity);
      expect(await page.evaluate('navigator.hardwareConcurrency')).toBe(identity.navigator.hardwareConcurrency);
      const [spoofed] = await getHash(page);
      expect(spoofingOf(spoofed)).toEqual(expect.arrayContaining(['proxied_function', 'inconsistent_getter']));
      expect(differences(clean, spoofed)).toEqual([]);
      expect(bitsOf(spoofed)).toEqual(expect.arrayContaining([...ofDrivers]));
    },
  );

  test('getters of a script hide the device from the page, but not from its worker', async () => {
    await visitSpoofed(replaceGetters);
    const [inPage] = await getHash(page);
    expect(spoofingOf(inPage)).toEqual(expect.arrayContaining(['accepts_wrong_receiver', 'scripted_function']));
    expect(differences(clean, inPage)).toEqual(expect.arrayContaining(['cpu', 'memory', 'locale']));
    const [withWorker] = await getHash(page, { workerUrl });
    expect(spoofingOf(withWorker)).toContain('worker_contradiction');
    expect(differences(clean, withWorker)).toEqual([]);
  });

  test('getters of mouse positions of a script change no facet', async () => {
    await visitSpoofed(replaceMousePositions);
    const [spoofed] = await getHash(page);
    expect(spoofingOf(spoofed)).toEqual(['accepts_wrong_receiver', 'scripted_function']);
    expect(differences(clean, spoofed)).toEqual([]);
  });

  test.each(['WebGLRenderingContext', 'WebGL2RenderingContext'] as const)(
    'a proxied getParameter of %s',
    async (name) => {
      await visitSpoofed((context) => {
        const { prototype } = window[context];
        prototype.getParameter = new Proxy(prototype.getParameter, {});
      }, name);
      expect(spoofingOf((await getHash(page))[0])).toEqual(['proxied_function']);
    },
  );

  test('noise is detected, and a worker draws without it', async () => {
    await visitSpoofed(farble);
    const [inPage] = await getHash(page);
    expect(spoofingOf(inPage)).toEqual(['canvas_noise', 'audio_noise', 'scripted_function']);
    expect(unreadableFacets(inPage)).toEqual(['raster', 'text', 'audio']);
    const [withWorker] = await getHash(page, { workerUrl });
    expect(differences(clean, withWorker)).toEqual(['audio']);
  });
});

test.skipIf(!chromium.available())('a window with a screen emulated by a driver that hides its debugger', async () => {
  const server = await startServer();
  // Playwright as it is, since the harness emulates nothing.
  const browser = await playwright.launch({
    executablePath: found('chromium'),
    headless: false,
    env: { ...process.env, DISPLAY: await xDisplay() },
  });
  try {
    const page = await ChromiumPage.attach(await browser.newPage());
    const [open] = await visit(page, server.url('/blank.html'));
    expect(bitsOf(open)).toEqual(['webdriver', 'inspected']);
    await page.goto(server.url('/blank.html'));
    await page.evaluate(() => {
      console.groupEnd = () => undefined;
    });
    await load(page);
    const [hidden] = await getHash(page);
    expect(bitsOf(hidden)).toEqual(['webdriver', 'driver_traces']);
  } finally {
    await browser.close();
    await server.close();
  }
});

describeEngines('a browser started by a user', ({ name }) => {
  /** Browsers with the page as the only argument, without options of a driver. */
  const commands: Record<EngineName, (home: string, url: string) => [program: string, args: string[]]> = {
    chromium: (home, url) => [
      found('chromium'),
      ['--no-sandbox', '--no-first-run', '--disable-background-networking', `--user-data-dir=${home}`, url],
    ],
    firefox: (home, url) => [found('firefox'), ['--no-remote', '--profile', home, url]],
    webkit: (_, url) => [found('minibrowser'), [url]],
  };
  /** How each engine runs without its compilers. */
  const withoutCompilers = {
    args: { chromium: ['--js-flags=--jitless'], firefox: [], webkit: [] },
    preferences: ['baselinejit', 'blinterp', 'ion', 'native_regexp'].map((option) => `javascript.options.${option}`),
    environment: { JSC_useJIT: '0' },
  };
  const cases = [
    { title: 'sets no bits', path: '/posting.html', hasCompilers: true },
    { title: 'sets no bits under a strict CSP', path: '/strict-posting.html', hasCompilers: true },
    { title: 'sets no bits without JIT', path: '/posting.html', hasCompilers: false },
  ];
  let server: TestServer;
  let home: string;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.forget();
    home = await mkdtemp(join(tmpdir(), 'whorl-test-'));
    return () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  test.each(cases)('$title, and has the same fingerprint with a worker', async ({ path, hasCompilers }) => {
    const { preferences, environment, args: added } = withoutCompilers;
    // Otherwise Firefox opens its own pages first.
    const disabled = ['datareporting.policy.dataSubmissionEnabled', ...(hasCompilers ? [] : preferences)];
    await writeFile(join(home, 'user.js'), disabled.map((option) => `user_pref("${option}", false);\n`).join(''));
    const [program, args] = commands[name](home, server.url(path));
    const folders = { HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
    const all = { ...process.env, ...folders, ...(!hasCompilers && environment), DISPLAY: await xDisplay() };
    const browser = startTethered(program, [...(hasCompilers ? [] : added[name]), ...args], all);
    browser.stdout.resume();
    browser.stderr.resume();
    try {
      const query = await until(
        'The post of the page',
        () => server.requests().find((request) => request.path.startsWith('/posted?'))?.path,
        { timeoutMs: 60_000 },
      );
      const [inPage = '', withWorker] = query.replace('/posted?', '').split('&');
      expect(bitsOf(inPage)).toEqual([]);
      expect(withWorker).toBe(inPage);
    } finally {
      await browser.end();
    }
  });
});

describe.skipIf(!chromium.available())('a user with Chromium', () => {
  let server: TestServer;
  let service: RunningService;
  let home: string;
  beforeAll(async () => {
    server = await startServer();
    service = await startRealService({});
  });
  afterAll(() => Promise.all([server?.close(), service?.close()]));
  beforeEach(async () => {
    server.forget();
    home = await mkdtemp(join(tmpdir(), 'whorl-test-'));
    return () => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  /** Starts Chromium by its command line, without options of a driver, and returns the first matching fingerprint. */
  async function readBy(args: string[], fits: (fingerprint: string, count: number) => boolean): Promise<string> {
    const own = ['--no-sandbox', '--no-first-run', '--disable-background-networking', `--user-data-dir=${home}`];
    const all = [...own, ...args, server.url('/reading.html')];
    const browser = startTethered(found('chromium'), all, { ...process.env, HOME: home, DISPLAY: await xDisplay() });
    browser.stdout.resume();
    browser.stderr.resume();
    try {
      const fitting = () =>
        server
          .requests()
          .map(({ path }) => /^\/read\?(\d+)&(.+)$/.exec(path) ?? [])
          .find(([, count, fingerprint]) => fingerprint && fits(fingerprint, Number(count)))?.[2];
      return await until('A fitting fingerprint', fitting, { timeoutMs: 60_000 });
    } finally {
      await browser.end();
    }
  }

  /** Evaluates a sign-up without a proof, with a live key, like a customer's server. */
  async function signUp(fingerprint: string, ip: string): Promise<{ verdict: string; reasons: string[] }> {
    const request = { action: 'signup', user: `user at ${ip}`, fingerprint, ip };
    const { body } = await service.post('/v2/device/evaluate', request, service.liveKeys.secret);
    return body;
  }

  test('and open developer tools sets only inspected, and may sign up', async () => {
    const isInspected = (fingerprint: string) => bitsOf(fingerprint).includes('inspected');
    const fingerprint = await readBy(['--auto-open-devtools-for-tabs'], isInspected);
    expect(bitsOf(fingerprint)).toEqual(['inspected']);
    const { verdict, reasons } = await signUp(fingerprint, '203.0.113.9');
    expect({ verdict, reasons }).toEqual({ verdict: 'allow', reasons: expect.arrayContaining(['automation']) });
  });

  test.each([
    ['an app, which names no engine', 'ShopApp/2.1', []],
    ['Safari', 'Mozilla/5.0 (X11; Linux) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', ['engine_contradiction']],
  ])('and the user agent of %s', async (_, userAgent, bits) => {
    const fingerprint = await readBy([`--user-agent=${userAgent}`], () => true);
    expect(bitsOf(fingerprint)).toEqual(bits);
  });

  test('and closed developer tools sets no bits, and may sign up', async () => {
    const fingerprint = await readBy([], (_, count) => count === 3);
    expect(bitsOf(fingerprint)).toEqual([]);
    const { verdict, reasons } = await signUp(fingerprint, '198.51.100.7');
    expect(verdict).toBe('allow');
    expect(reasons).not.toContain('automation');
  });
});
