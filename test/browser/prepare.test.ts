import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { openPage } from './support/session';
import { complaints, getComponents, getHash, load } from './support/whorl';

declare global {
  interface Window {
    calls: Record<string, number>;
    idle: { run(): void; timeoutMs?: number | undefined }[];
    prepared: Promise<void>;
  }
}

const lifetimeMs = 30 * 60_000;

describeEngines('prepare', (engine) => {
  let server: TestServer;
  let session: BrowserSession;
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openPage(engine, startServer);
    ({ server, session, page } = opened);
    return opened.close;
  });
  beforeEach(() => arrive());

  async function arrive(tab = page): Promise<void> {
    await tab.goto(server.url('/blank.html'));
    await load(tab);
    await tab.evaluate(countCalls);
  }

  function prepare(options = {}): Promise<void> {
    return page.evaluate((given) => window.Whorl.prepare(given), options);
  }

  function calls(tab = page): Promise<Record<string, number>> {
    return tab.evaluate(() => ({ ...window.calls }));
  }

  test('getHash draws, renders and searches for nothing afterwards', async () => {
    const [unprepared] = await getHash(page);
    const full = await calls();
    for (const name of ['draw', 'measure', 'render', 'font']) expect(full[name], name).toBeGreaterThan(0);
    await arrive();
    await prepare();
    expect(await calls()).toEqual(full);
    expect((await getHash(page))[0]).toBe(unprepared);
    expect((await getHash(page, { scope: 'another' }))[0]).not.toBe(unprepared);
    expect(await calls()).toEqual(full);
    expect(await complaints(page)).toEqual([]);
  });

  test('collect and getComponents use the same reading', async () => {
    await prepare();
    const full = await calls();
    const { fingerprint } = await page.evaluate(() => window.Whorl.collect());
    expect((await getComponents(page)).fingerprint).toBe(fingerprint);
    expect(await calls()).toEqual(full);
  });

  test('saves no fingerprint', async () => {
    await page.evaluate(() => localStorage.clear());
    await prepare();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test('concurrent calls share one reading', async () => {
    await prepare();
    const full = await calls();
    await arrive();
    const results = await page.evaluate(async () => {
      await Promise.all([window.Whorl.prepare(), window.Whorl.prepare()]);
      return window.calls;
    });
    expect(results).toEqual(full);
  });

  test('getHash during the reading waits for it', async () => {
    const [unprepared] = await getHash(page);
    const full = await calls();
    await arrive();
    await page.evaluate(holdIdle);
    const [current] = await page.evaluate(async () => {
      const prepared = window.Whorl.prepare();
      window.idle[0]?.run();
      // The first reading of each collection that this test counts.
      while (!window.calls.render) await new Promise((resolve) => setTimeout(resolve));
      const [pair] = await Promise.all([window.Whorl.getHash(), prepared]);
      return pair;
    });
    expect(current).toBe(unprepared);
    expect(await calls()).toEqual(full);
  });

  test('getHash before the idle period reads at once, and prepare uses its results', async () => {
    await page.evaluate(holdIdle);
    await page.evaluate(() => {
      window.prepared = window.Whorl.prepare();
    });
    expect((await calls()).draw).toBeUndefined();
    await getHash(page);
    const full = await calls();
    expect(full.draw).toBeGreaterThan(0);
    await page.evaluate(() => {
      window.idle[0]?.run();
      return window.prepared;
    });
    expect(await calls()).toEqual(full);
  });

  test('uses the results of a getHash that started before', async () => {
    await page.evaluate(holdIdle);
    await prepareAtOnce();
    const full = await calls();
    await arrive();
    await page.evaluate(holdIdle);
    await page.evaluate(async () => {
      const running = window.Whorl.getHash();
      const prepared = window.Whorl.prepare();
      window.idle[0]?.run();
      await Promise.all([running, prepared]);
    });
    expect(await calls()).toEqual(full);
  });

  function prepareAtOnce(): Promise<void> {
    return page.evaluate(() => {
      const prepared = window.Whorl.prepare();
      window.idle[0]?.run();
      return prepared;
    });
  }

  test('waits for idle time for 2 s at most', async () => {
    await page.evaluate(holdIdle);
    await page.evaluate(() => void window.Whorl.prepare());
    expect(await page.evaluate(() => window.idle.map(({ timeoutMs }) => timeoutMs))).toEqual([2000]);
  });

  test('reads in a page that is never idle', async () => {
    await page.evaluate(async () => {
      let isOver = false;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const until = performance.now() + 20;
        while (performance.now() < until);
        if (!isOver) port2.postMessage(0);
      };
      port2.postMessage(0);
      await window.Whorl.prepare();
      isOver = true;
    });
    expect((await calls()).draw).toBeGreaterThan(0);
  });

  test('uses a timer in browsers without idle periods', async () => {
    await page.evaluate(() => Reflect.deleteProperty(window, 'requestIdleCallback'));
    await prepare();
    const full = await calls();
    expect(full.draw).toBeGreaterThan(0);
    await getHash(page);
    expect(await calls()).toEqual(full);
  });

  test('reads in a page that reports that it is hidden', async () => {
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      Object.defineProperty(document, 'hidden', { value: true });
    });
    await prepare();
    expect((await calls()).draw).toBeGreaterThan(0);
  });

  test('reads in a tab behind another one', async () => {
    const behind = await session.open();
    await arrive(behind);
    const front = await session.open();
    await front.goto(server.url('/blank.html'));
    await behind.evaluate(() => window.Whorl.prepare());
    const full = await calls(behind);
    expect(full.draw).toBeGreaterThan(0);
    await getHash(behind);
    expect(await calls(behind)).toEqual(full);
  });

  test('reads everything again after 30 minutes', async () => {
    await setClock(0);
    await prepare();
    const full = await calls();
    await setClock(lifetimeMs - 1000);
    await getHash(page);
    expect(await calls()).toEqual(full);
    await setClock(lifetimeMs + 1000);
    await getHash(page);
    const second = await calls();
    expect(second.font).toBe(2 * Number(full.font));
    await getHash(page);
    expect(await calls()).toEqual(second);
    await setClock(2 * lifetimeMs + 2000);
    await prepare();
    expect((await calls()).font).toBe(3 * Number(full.font));
  });

  function setClock(laterMs: number): Promise<void> {
    return page.evaluate((given) => {
      const now = Date.UTC(2026, 0) + given;
      Date.now = () => now;
    }, laterMs);
  }

  test.each([{}, { workerUrl: '/dist/whorl-worker.min.js', timeoutMs: 60_000 }])(
    'notices a change of language, with %j',
    async (options) => {
      await prepare(options);
      const [before] = await getHash(page, options);
      await page.evaluate(() => {
        Object.defineProperty(Navigator.prototype, 'language', { get: () => 'eo', configurable: true });
      });
      const { readings } = await getComponents(page, options);
      const isRead = readings.locale.status === 'ok' && JSON.stringify(readings.locale.value).includes('eo');
      // What the worker said is older than the change, so the page's value is kept too.
      expect(isRead).toBe(!('workerUrl' in options));
      expect(before).toMatch(/^w1\./);
    },
  );

  test('starts one worker', async () => {
    const options = { workerUrl: '/dist/whorl-worker.min.js', timeoutMs: 60_000 };
    await prepare(options);
    expect((await calls()).worker).toBe(1);
    const { readings } = await getComponents(page, options);
    expect(readings.worker.status).toBe('ok');
    expect((await calls()).worker).toBe(1);
  });

  test('rejects only what getHash rejects', async () => {
    const codeOf = (timeoutMs: number) =>
      page.evaluate(
        (given) => window.Whorl.prepare({ timeoutMs: given }).then(String, (error: { code: string }) => error.code),
        timeoutMs,
      );
    expect(await codeOf(-1)).toBe('invalid_options');
    await page.evaluate(() => {
      OfflineAudioContext.prototype.startRendering = () => Promise.reject(new Error('No audio today.'));
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    expect(await codeOf(3000)).toBe('undefined');
  });
});

/** Counts the calls of slow interfaces in `window.calls`. */
function countCalls(): void {
  window.calls = {};
  const count = (name: string, host: object | undefined, method: string) => {
    if (!host) return;
    const original: unknown = Reflect.get(host, method);
    if (typeof original !== 'function') return;
    Reflect.set(host, method, function (this: unknown, ...given: unknown[]) {
      window.calls[name] = (window.calls[name] ?? 0) + 1;
      return Reflect.apply(original, this, given);
    });
  };
  for (const context of [globalThis.OffscreenCanvasRenderingContext2D, CanvasRenderingContext2D]) {
    count('draw', context?.prototype, 'getImageData');
    count('measure', context?.prototype, 'measureText');
  }
  count('render', OfflineAudioContext.prototype, 'startRendering');
  count('font', FontFace.prototype, 'load');
  const Original = Worker;
  window.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      window.calls.worker = (window.calls.worker ?? 0) + 1;
    }
  };
}

/** Replaces idle periods: a test decides when each begins. */
function holdIdle(): void {
  window.idle = [];
  window.requestIdleCallback = (callback, options) =>
    window.idle.push({
      run: () => callback({ didTimeout: false, timeRemaining: () => 50 }),
      timeoutMs: options?.timeout,
    });
}
