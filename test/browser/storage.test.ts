import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { openPage, ownProfile } from './support/session';
import { complaints, differences, getHash, load, waitLongerForIndexedDb } from './support/whorl';

const day = 86_400_000;

interface Visit {
  /** The reported language of the browser, which affects the locale facet. */
  readonly language?: string;
  /** Days from now until the visit. */
  readonly inDays?: number;
  /** Runs in the page before the package is loaded. */
  readonly patch?: () => void;
  /** Whether the package may give up IndexedDB, which a busy machine could otherwise cause. Default: false. */
  readonly mayGiveUp?: boolean;
}

describeEngines('the last saved fingerprint', (engine) => {
  let server: TestServer;
  let session: BrowserSession;
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openPage(engine, startServer, ownProfile);
    ({ server, session, page } = opened);
    return opened.close;
  });
  beforeEach(async () => {
    await page.goto(server.url('/blank.html'));
    await forget();
  });

  function forget(): Promise<void> {
    return page.evaluate(async () => {
      localStorage.clear();
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('whorl');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      });
    });
  }

  function isInIndexedDb(): Promise<boolean | undefined> {
    return page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open('whorl');
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            const count = request.result.transaction('saved').objectStore('saved').count();
            count.onsuccess = () => {
              request.result.close();
              resolve(count.result > 0 || undefined);
            };
          };
        }),
    );
  }

  async function arrive({ language, inDays = 0, patch, mayGiveUp = false }: Visit = {}, tab = page): Promise<void> {
    await tab.goto(server.url('/blank.html'));
    await tab.evaluate(
      (given, laterMs) => {
        const now = Date.now;
        Date.now = () => now() + laterMs;
        if (given) Object.defineProperty(Navigator.prototype, 'language', { get: () => given, configurable: true });
      },
      language ?? '',
      inDays * day,
    );
    if (!mayGiveUp) await waitLongerForIndexedDb(tab);
    if (patch) await tab.evaluate(patch);
    await load(tab);
  }

  async function visit(details?: Visit, tab = page) {
    await arrive(details, tab);
    return getHash(tab);
  }

  test('is empty on the first visit', async () => {
    const [current, last] = await visit();
    expect(current).toMatch(/^w1\./);
    expect(last).toBe('');
  });

  test('is the current one on the second visit', async () => {
    const [first] = await visit();
    expect(await visit()).toEqual([first, first]);
  });

  test('is the older one after a change, also on later visits', async () => {
    const [older] = await visit({ language: 'aa' });
    const [newer, last] = await visit({ language: 'bb' });
    expect(differences(older, newer)).toEqual(['locale']);
    expect(last).toBe(older);
    expect(await visit({ language: 'bb' })).toEqual([newer, older]);
  });

  test('is the oldest one after two unacknowledged changes', async () => {
    const [oldest] = await visit({ language: 'aa' });
    await visit({ language: 'bb' });
    const [newest, last] = await visit({ language: 'cc' });
    expect(last).toBe(oldest);
    expect(await visit({ language: 'cc' })).toEqual([newest, oldest]);
  });

  test('discards the older one 30 days after the change', async () => {
    const [older] = await visit({ language: 'aa' });
    const [newer] = await visit({ language: 'bb' });
    expect(await visit({ language: 'bb', inDays: 29.9 })).toEqual([newer, older]);
    expect(await visit({ language: 'bb', inDays: 30.1 })).toEqual([newer, newer]);
  });

  test('is stored separately for each scope', async () => {
    await arrive();
    const [plain] = await getHash(page);
    const [scoped, last] = await getHash(page, { scope: 'shop' });
    expect(last).toBe('');
    expect(differences(plain, scoped).length).toBeGreaterThan(15);
    expect(await getHash(page, { scope: 'shop' })).toEqual([scoped, scoped]);
    expect(await getHash(page)).toEqual([plain, plain]);
  });

  const obstacles: Record<string, () => void> = {
    'IndexedDB hangs': () => {
      IDBFactory.prototype.open = () => Object.create(IDBOpenDBRequest.prototype);
    },
    'IndexedDB throws on open': () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('No', 'SecurityError');
      };
    },
    'IndexedDB is missing': () => {
      Object.defineProperty(window, 'indexedDB', { value: undefined });
    },
    'localStorage throws': () => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('No', 'SecurityError');
        },
      });
    },
    'localStorage is full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('No', 'QuotaExceededError');
      };
    },
  };

  for (const [name, patch] of Object.entries(obstacles)) {
    test(`is kept across visits if ${name}`, async () => {
      const mayGiveUp = name === 'IndexedDB hangs';
      const [older] = await visit({ language: 'aa', patch, mayGiveUp });
      expect(await visit({ language: 'aa', patch, mayGiveUp })).toEqual([older, older]);
      const [, last] = await visit({ language: 'bb', patch, mayGiveUp });
      expect(last).toBe(older);
      expect(await complaints(page)).toEqual([]);
    });
  }

  test('is kept until the page is closed if both are blocked', async () => {
    await arrive({
      patch: () => {
        const blocked = () => {
          throw new DOMException('No', 'SecurityError');
        };
        Object.defineProperty(window, 'indexedDB', { get: blocked });
        Object.defineProperty(window, 'localStorage', { get: blocked });
      },
    });
    const [current, last] = await getHash(page);
    expect(last).toBe('');
    expect(await getHash(page)).toEqual([current, current]);
    expect(await complaints(page)).toEqual([]);
  });

  test('is kept until the page is closed in a frame with an opaque origin', async () => {
    await page.goto(server.url('/frame-host.html'));
    const answer = await page.evaluate(
      (src) =>
        new Promise<{ hash?: string[]; again?: string[]; error?: string }>((resolve) => {
          addEventListener('message', ({ data }) => resolve(data), { once: true });
          const frame = document.createElement('iframe');
          frame.setAttribute('sandbox', 'allow-scripts');
          frame.src = src;
          document.body.append(frame);
        }),
      server.url('/framed.html'),
    );
    const [current, last] = answer.hash ?? [];
    expect(answer.error).toBeUndefined();
    expect(last).toBe('');
    expect(answer.again).toEqual([current, current]);
    expect(await complaints(page)).toEqual([]);
  });

  test('survives in the other store if one is emptied', async () => {
    const [first] = await visit();
    // `getHash` does not wait for IndexedDB once localStorage has the record.
    await until('The record in IndexedDB', isInIndexedDb);
    await page.evaluate(() => localStorage.clear());
    expect(await visit()).toEqual([first, first]);
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open('whorl');
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            const transaction = request.result.transaction('saved', 'readwrite');
            transaction.objectStore('saved').clear();
            transaction.oncomplete = () => {
              request.result.close();
              resolve();
            };
          };
        }),
    );
    expect(await visit()).toEqual([first, first]);
  });

  test('keeps no database open, so that the page can delete it', async () => {
    const other = await session.open();
    await visit({}, other);
    await visit();
    await page.evaluate(() => window.Whorl.getProof('n'));
    await until('The record in IndexedDB', isInIndexedDb);
    const outcome = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.deleteDatabase('whorl');
          request.onsuccess = () => resolve('deleted');
          request.onerror = () => resolve('failed');
          setTimeout(() => resolve('still waiting'), 30_000);
        }),
    );
    expect(outcome).toBe('deleted');
    await other.close();
  });

  const corrupted = ['{', 'null', '[]', '"text"', '{"current":7,"savedAt":1}', '{"current":"w1","savedAt":"now"}'];
  test.each(corrupted)('replaces a corrupted record: %s', async (text) => {
    await visit();
    await page.evaluate(async (broken) => {
      localStorage.setItem('whorl', broken);
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('whorl');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('saved', 'readwrite');
          transaction.objectStore('saved').put(broken, 'whorl');
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      });
    }, text);
    const [current, last] = await visit();
    expect(last).toBe('');
    expect(await visit()).toEqual([current, current]);
  });

  test('is not lost with two concurrent tabs', async () => {
    const [older] = await visit({ language: 'aa' });
    const other = await session.open();
    await Promise.all([arrive({ language: 'bb' }), arrive({ language: 'bb' }, other)]);
    const [[newer, lastHere], [newerThere, lastThere]] = await Promise.all([getHash(page), getHash(other)]);
    expect(newerThere).toBe(newer);
    expect([lastHere, lastThere]).toEqual([older, older]);
    await other.close();
    expect(await visit({ language: 'bb' })).toEqual([newer, older]);
  });

  test('is read once for ten concurrent calls', async () => {
    await arrive();
    const { answers, rendered } = await page.evaluate(async () => {
      let rendered = 0;
      const original = OfflineAudioContext.prototype.startRendering;
      OfflineAudioContext.prototype.startRendering = function () {
        rendered++;
        return original.call(this);
      };
      const answers = await Promise.all(Array.from({ length: 10 }, () => window.Whorl.getHash({ timeoutMs: 60_000 })));
      return { answers, rendered };
    });
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[1]).toBe('');
    expect(rendered).toBe(1);
  });
});
