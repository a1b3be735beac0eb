import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { LaunchOptions, TestPage } from './harness/types';
import { until } from './harness/until';
import { logAndThrow, loggedAndThrown } from './support/logged';
import { inPage } from './support/session';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'whorl-harness-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

describeEngines('harness', (engine) => {
  function onBlank<Result>(options: LaunchOptions, use: (page: TestPage) => Promise<Result>): Promise<Result> {
    return inPage(engine, options, async (page) => {
      await page.goto(server.url('/blank.html'));
      return use(page);
    });
  }

  test('keeps the storage of a profile across two launches', async () => {
    const options = { profile: join(folder, `profile-${engine.name}`) };
    await onBlank(options, async (page) => {
      await page.evaluate("localStorage.setItem('kept', 'yes')");
      await page.evaluate(addToDatabase, 'yes');
    });
    await onBlank(options, async (page) => {
      expect(await page.evaluate("localStorage.getItem('kept')")).toBe('yes');
      expect(await page.evaluate(addToDatabase, 'again')).toEqual(['yes', 'again']);
    });
  });

  test('supports everything else in a persistent profile', async () => {
    const session = await engine.launch({ profile: join(folder, `kept-${engine.name}`) });
    try {
      const page = await session.open(server.url('/blank.html'));
      await expect(page.evaluate('Promise.reject(new RangeError("too far"))')).rejects.toThrow('too far');
      await page.evaluate("localStorage.setItem('kept', 'yes')");
      await page.evaluate(logAndThrow);
      const messages = await until('Four messages', async () => {
        const list = await page.messages();
        return list.length >= 4 ? list : undefined;
      });
      expect(messages).toEqual(expect.arrayContaining(loggedAndThrown()));
      await page.reload();
      expect(await page.messages()).toEqual([]);
      const second = await session.open(server.url('/blank.html'));
      expect(await second.evaluate("localStorage.getItem('kept')")).toBe('yes');
      await second.goto(server.url('/blank.html', { host: '127.0.0.1' }));
      expect(await second.evaluate("localStorage.getItem('kept')")).toBeNull();
      await second.goto(server.url('/blank.html', { host: 'insecure' }));
      expect(await second.evaluate('isSecureContext')).toBe(false);
      await second.screenshot(join(folder, 'second.png'));
      await second.close();
      expect(await page.evaluate('document.title')).toBe('Blank');
    } finally {
      await session.close();
    }
  });

  test('stores nothing in private mode', async () => {
    const profile = join(folder, `private-${engine.name}`);
    const options = { profile, privateMode: true };
    await onBlank(options, (page) => page.evaluate("localStorage.setItem('kept', 'yes')"));
    expect(await onBlank(options, (page) => page.evaluate("localStorage.getItem('kept')"))).toBeNull();
  });

  if (engine.can.zoom) {
    test('zooms', async () => {
      expect(await onBlank({ zoom: 1.5 }, (page) => page.evaluate('devicePixelRatio'))).toBeCloseTo(1.5);
    });
  }

  test('has another screen, scale, colour scheme and time zone', async () => {
    const options = {
      screen: { width: 1280, height: 1024 },
      scaleFactor: 2,
      colorScheme: 'dark',
      environment: { TZ: 'Asia/Tokyo' },
    } as const;
    const seen = await onBlank(options, (page) =>
      page.evaluate(() => ({
        // Some engines report the screen in physical pixels, others in CSS pixels.
        width: screen.width * (screen.width < 1280 ? devicePixelRatio : 1),
        scale: devicePixelRatio,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      })),
    );
    expect(seen).toEqual({ width: 1280, scale: 2, isDark: true, timeZone: 'Asia/Tokyo' });
  });

  test('leaves no processes running', async () => {
    const mark = `whorl-harness-${engine.name}-${Date.now()}`;
    const environment = { WHORL_MARK: mark };
    await onBlank({ environment }, async () => expect(processesWith(mark)).not.toEqual([]));
    // The crash reporter of Chromium exits slightly later than its browser.
    await until('The end of all processes', () => processesWith(mark).length === 0 || undefined, { timeoutMs: 5_000 });
  });

  // WebKit has a window in all other tests.
  if (engine.name !== 'webkit') {
    test('shows a real window', async () => {
      const frame = await onBlank({ headful: true }, (page) => page.evaluate<number>('outerHeight - innerHeight'));
      expect(frame).toBeGreaterThan(0);
    });
  }
});

/** Returns the running processes whose environment contains this text, which child processes inherit. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

/** Adds a value to a database, and returns all values in it. */
function addToDatabase(value: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('harness', 1);
    opening.onerror = () => reject(opening.error);
    opening.onupgradeneeded = () => opening.result.createObjectStore('values', { autoIncrement: true });
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('values', 'readwrite');
      const store = transaction.objectStore('values');
      store.add(value);
      const all = store.getAll();
      transaction.oncomplete = () => resolve(all.result);
      transaction.onerror = () => reject(transaction.error);
    };
  });
}
