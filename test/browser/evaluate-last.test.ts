import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import type { TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { begin, evaluateIn, type GivenOptions, type OpenedEvaluate, openEvaluate, outcomeOf } from './support/evaluate';
import { type Answer, allowed, type EvaluateServer, json, silence } from './support/evaluate-server';
import { complaints, getHash, load } from './support/whorl';

/** The reported languages of the browser, which affect the fingerprint. */
type Language = 'aa' | 'bb' | 'cc';

describeEngines('the last fingerprint, after a response of the service', (engine) => {
  let server: TestServer;
  let session: BrowserSession;
  let page: TestPage;
  let service: EvaluateServer;
  let options: OpenedEvaluate['options'];

  beforeAll(async () => {
    const opened = await openEvaluate(engine);
    ({ server, session, page, service, options } = opened);
    return opened.close;
  });
  beforeEach(async () => {
    service.reset();
    await page.goto(server.url('/blank.html'));
    await page.evaluate(async () => {
      localStorage.clear();
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('whorl');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      });
    });
  });

  async function arrive(language: Language, tab = page, patch: () => void = () => undefined): Promise<void> {
    await tab.goto(server.url('/blank.html'));
    await tab.evaluate((given) => {
      Object.defineProperty(Navigator.prototype, 'language', { get: () => given, configurable: true });
    }, language);
    await tab.evaluate(patch);
    await load(tab);
  }

  /** Opens a new page in which the browser has this language, and returns the result of `getHash`. */
  async function visit(language: Language, tab = page, patch?: () => void) {
    await arrive(language, tab, patch);
    return getHash(tab);
  }

  async function expectAnswered(tab = page, more?: GivenOptions): Promise<void> {
    expect(await evaluateIn(tab, options(more))).toEqual({ answer: allowed });
  }

  /** Returns the pairs that the service received. */
  function sent() {
    return service.asked.map(({ body }) => [body.fingerprint, body.last_fingerprint]);
  }

  test('is the current one after a first visit', async () => {
    await arrive('aa');
    await expectAnswered();
    const [current, last] = await getHash(page);
    expect(sent()).toEqual([[current, '']]);
    expect(last).toBe(current);
  });

  test('advances from the older one permanently', async () => {
    const [older] = await visit('aa');
    const [newer, last] = await visit('bb');
    expect(last).toBe(older);
    await expectAnswered();
    expect(await getHash(page)).toEqual([newer, newer]);
    expect(await visit('bb')).toEqual([newer, newer]);
    await expectAnswered();
    expect(sent()).toEqual([
      [newer, older],
      [newer, newer],
    ]);
    expect(await complaints(page)).toEqual([]);
  });

  test('advances from the oldest one after two changes', async () => {
    const [oldest] = await visit('aa');
    await visit('bb');
    const [newest] = await visit('cc');
    await expectAnswered();
    expect(sent()).toEqual([[newest, oldest]]);
    expect(await visit('cc')).toEqual([newest, newest]);
  });

  const failures: Record<string, [answer: Answer, more?: GivenOptions]> = {
    'an error': [json(500, {})],
    'an answer of another shape': [json(200, { success: true })],
    'no answer': [(response) => response.destroy()],
    'none in time': [silence, { timeout: 2000 }],
  };
  test.each(Object.entries(failures))(
    'stays the older one after %s, until there is a response',
    async (_, [answer, more]) => {
      const [older] = await visit('aa');
      await arrive('bb');
      service.answer = answer;
      const { error } = await evaluateIn(page, options(more));
      expect(error?.isWhorlError).toBe(true);
      const [newer, last] = await getHash(page);
      expect(last).toBe(older);
      expect(await visit('bb')).toEqual([newer, older]);
      service.reset();
      await expectAnswered();
      expect(sent()).toEqual([[newer, older]]);
      expect(await visit('bb')).toEqual([newer, newer]);
    },
  );

  test('advances only in its own scope', async () => {
    await arrive('aa');
    const [older] = await getHash(page);
    const [olderInShop] = await getHash(page, { scope: 'shop' });
    await arrive('bb');
    await expectAnswered(page, { scope: 'shop' });
    const [newer, last] = await getHash(page);
    const [newerInShop, lastInShop] = await getHash(page, { scope: 'shop' });
    expect(sent()).toEqual([[newerInShop, olderInShop]]);
    expect(lastInShop).toBe(newerInShop);
    expect([newer, last]).toEqual([newer, older]);
    expect(newer).not.toBe(older);
  });

  describe('with obstacles', () => {
    const obstacles: Record<string, () => void> = {
      'localStorage throws': () => {
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('No', 'SecurityError');
          },
        });
      },
      'IndexedDB throws': () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('No', 'SecurityError');
        };
      },
      'IndexedDB hangs': () => {
        IDBFactory.prototype.open = () => Object.create(IDBOpenDBRequest.prototype);
      },
    };
    test.each(Object.entries(obstacles))('advances across visits if %s', async (_, patch) => {
      await visit('aa', page, patch);
      await arrive('bb', page, patch);
      await expectAnswered();
      const [newer, last] = await visit('bb', page, patch);
      expect(last).toBe(newer);
      expect(await complaints(page)).toEqual([]);
    });

    test.each(['localStorage', 'IndexedDB'])('has advanced in the other store if %s is emptied', async (emptied) => {
      await visit('aa');
      await arrive('bb');
      await expectAnswered();
      const [newer] = await getHash(page);
      await page.evaluate(async (name) => {
        if (name === 'localStorage') return localStorage.clear();
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open('whorl');
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        await new Promise((resolve) => {
          const transaction = database.transaction('saved', 'readwrite');
          transaction.objectStore('saved').clear();
          transaction.oncomplete = resolve;
        });
        database.close();
      }, emptied);
      expect(await visit('bb')).toEqual([newer, newer]);
    });

    test('a store with the outdated record does not win, even if the clock stands still', async () => {
      await visit('aa');
      await arrive('bb', page, () => {
        const now = Date.now();
        Date.now = () => now;
      });
      const [newer] = await getHash(page);
      await page.evaluate(() => {
        IDBDatabase.prototype.transaction = () => {
          throw new DOMException('No', 'InvalidStateError');
        };
      });
      await expectAnswered();
      expect(await visit('bb')).toEqual([newer, newer]);
    });
  });

  describe('with two tabs', () => {
    let other: TestPage;
    beforeEach(async () => {
      other = await session.open();
      return () => other.close();
    });

    test('advances once for both', async () => {
      const [older] = await visit('aa');
      await Promise.all([arrive('bb'), arrive('bb', other)]);
      await Promise.all([expectAnswered(), expectAnswered(other)]);
      const [newer] = await getHash(page);
      expect(sent()).toContainEqual([newer, older]);
      expect(await getHash(other)).toEqual([newer, newer]);
      expect(await visit('bb')).toEqual([newer, newer]);
    });

    test('advances if only the other one got a response', async () => {
      await visit('aa');
      await arrive('bb');
      await arrive('bb', other);
      service.answer = json(500, {});
      expect((await evaluateIn(page, options())).error?.code).toBe('http');
      service.reset();
      await expectAnswered(other);
      const [newer, last] = await getHash(page);
      expect(last).toBe(newer);
    });

    test('keeps a change during the request, relative to the sent fingerprint', async () => {
      const [older] = await visit('aa');
      let answer = () => {};
      service.answer = (response) => {
        answer = () => json(200, allowed)(response);
      };
      await arrive('bb');
      await begin(page, options());
      await until('The request', () => service.asked[0]);
      const [newest, last] = await visit('cc', other);
      expect(last).toBe(older);
      answer();
      expect(await outcomeOf(page)).toEqual({ answer: allowed });
      const [[newer] = []] = sent();
      expect(newer).not.toBe(newest);
      expect(await visit('cc', other)).toEqual([newest, newer]);
    });
  });
});
