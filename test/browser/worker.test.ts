import { beforeAll, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { firefox } from './harness/firefox';
import { startServer, type TestServer } from './harness/server';
import type { EngineName, TestPage } from './harness/types';
import { openPage } from './support/session';
import { differences, getComponents, getHash, load, visit } from './support/whorl';

const workerUrl = '/dist/whorl-worker.min.js';

/** The readings that move to the worker, with the engines in which they cannot. */
const moved: Readonly<Record<string, readonly EngineName[]>> = {
  // WebKit has no WebGL in workers.
  gpu: ['webkit'],
  glParameters: ['webkit'],
  glExtensions: ['webkit'],
  fonts: [],
  raster: [],
  text: [],
  metrics: [],
  scripts: [],
};

declare global {
  interface Window {
    pageWork: string[];
  }
}

/** Records what the page itself does of the readings that move. */
function recordPageWork(): void {
  window.pageWork = [];
  const record = (host: object, name: string) => {
    const original: unknown = Reflect.get(host, name);
    if (typeof original !== 'function') return;
    Reflect.set(host, name, function (this: unknown, ...args: unknown[]) {
      window.pageWork.push(name);
      return Reflect.apply(original, this, args);
    });
  };
  record(HTMLCanvasElement.prototype, 'getContext');
  if ('OffscreenCanvas' in window) record(OffscreenCanvas.prototype, 'getContext');
  record(FontFace.prototype, 'load');
}

describeEngines('workerUrl', (engine) => {
  const inPage = Object.keys(moved).filter((name) => moved[name]?.includes(engine.name));
  let server: TestServer;
  let page: TestPage;
  let plain: string;

  beforeAll(async () => {
    const opened = await openPage(engine, startServer);
    ({ server, page } = opened);
    [plain] = await visit(page, server.url('/blank.html'));
    return opened.close;
  });

  test('moves readings to the worker, with the same values', async () => {
    await page.goto(server.url('/blank.html'));
    await load(page);
    await page.evaluate(recordPageWork);
    const { fingerprint, readings } = await getComponents(page, { workerUrl });
    expect(differences(plain, fingerprint)).toEqual([]);
    expect(fingerprint).toBe(plain);
    const told = readings.worker.status === 'ok' && Array.isArray(readings.worker.value) ? readings.worker.value : [];
    const names = told.map(([name]) => name);
    expect(Object.keys(moved).filter((name) => !names.includes(name))).toEqual(inPage);
    // The page's only canvas is the one for WebGL, in WebKit.
    expect(await page.evaluate(() => window.pageWork)).toEqual(inPage.length ? ['getContext'] : []);
  });

  test('knows how long the worker took for each reading', async () => {
    await page.goto(server.url('/blank.html'));
    await load(page);
    const { readings } = await getComponents(page, { workerUrl });
    const names = (['gpu', 'glParameters', 'glExtensions', 'raster', 'text', 'metrics', 'scripts'] as const).filter(
      (name) => !inPage.includes(name),
    );
    const durations = names.map((name) => readings[name].durationMs);
    expect(durations.every((durationMs) => durationMs >= 0)).toBe(true);
    // The worker makes these one after another. Its clock may be rounded to milliseconds.
    const sum = durations.reduce((total, durationMs) => total + durationMs, 0);
    expect(sum).toBeLessThanOrEqual(readings.worker.durationMs + 2);
    expect(readings.fonts.durationMs).toBeLessThanOrEqual(readings.worker.durationMs + 2);
  });

  describe('reads in the page what a worker cannot', () => {
    const cases = [
      { name: 'the file is missing', workerUrl: '/nowhere.js' },
      { name: 'the worker never responds', workerUrl: '/silent-worker.js', status: 'timeout' },
      { name: 'the file is another one', workerUrl: '/dist/whorl.min.js', status: 'timeout' },
      { name: 'the file is on another origin', workerUrl: 'http://127.0.0.1:1/whorl-worker.min.js' },
      { name: 'the CSP refuses workers', path: '/no-worker.html' },
    ];
    test.each(cases)('$name', async ({ workerUrl: url = workerUrl, path = '/blank.html', status }) => {
      await page.goto(server.url(path));
      await load(page);
      const { fingerprint, readings } = await getComponents(page, { workerUrl: url });
      expect(fingerprint).toBe(plain);
      expect(status ? [status] : ['error', 'blocked']).toContain(readings.worker.status);
    });

    test('the worker has no OffscreenCanvas and no FontFace', async () => {
      await page.goto(server.url('/blank.html'));
      await load(page);
      const { fingerprint, readings } = await getComponents(page, { workerUrl: '/poor-worker.js' });
      expect(readings.worker.status).toBe('ok');
      expect(fingerprint).toBe(plain);
    });
  });

  test('starts under Trusted Types with a default policy of the site', async () => {
    await page.goto(server.url('/trusted-worker.html'));
    await load(page);
    const [fingerprint] = await getHash(page, { workerUrl });
    expect(fingerprint).toBe(plain);
    expect((await getComponents(page, { workerUrl })).readings.worker.status).toBe('ok');
  });

  test('makes the readings in the page where Trusted Types refuse the address', async () => {
    const supported = await page.evaluate(() => 'trustedTypes' in window);
    await page.goto(server.url('/trusted-types.html'));
    await load(page);
    const { fingerprint, readings } = await getComponents(page, { workerUrl });
    expect(readings.worker.status).toBe(supported ? 'error' : 'ok');
    expect(fingerprint).toBe(plain);
  });
});

/** These show everybody the same or add noise, and may do so in a page and in its worker differently. */
const protections = {
  resistFingerprinting: { 'privacy.resistFingerprinting': true },
  'fingerprinting protection': { 'privacy.fingerprintingProtection': true },
  'canvas randomisation': {
    'privacy.fingerprintingProtection': true,
    'privacy.fingerprintingProtection.overrides': '-AllTargets,+CanvasRandomization',
  },
};

describe.skipIf(!firefox.available()).each(Object.entries(protections))('Firefox with %s', (_, preferences) => {
  test('has the same fingerprint with a worker', async () => {
    const { server, page, close } = await openPage(firefox, startServer, { preferences });
    try {
      const [plain] = await visit(page, server.url('/blank.html'));
      await page.goto(server.url('/blank.html'));
      await load(page);
      const { fingerprint, readings } = await getComponents(page, { workerUrl });
      expect(readings.worker.status).toBe('ok');
      expect(differences(plain, fingerprint)).toEqual([]);
      expect(fingerprint).toBe(plain);
    } finally {
      await close();
    }
  });
});
