import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { openPage } from './support/session';
import {
  complaints,
  differences,
  getComponents,
  getHash,
  load,
  unreadableFacets,
  visit,
  waitLongerForMessages,
} from './support/whorl';

/** Side effects that readings must not have, and obstacles that must not stop them. */
describeEngines('a reading is unobtrusive', (engine) => {
  let server: TestServer;
  let page: TestPage;

  beforeAll(async () => {
    // Drawn as for users, because Chromium has a warning of its own when it draws in software.
    const opened = await openPage(engine, startServer, {});
    ({ server, page } = opened);
    return opened.close;
  });
  beforeEach(() => page.goto(server.url('/blank.html')));

  for (const path of ['/blank.html', '/strict-csp.html', '/trusted-types.html', '/styled.html']) {
    test(`writes nothing to the console of ${path}`, async () => {
      await visit(page, server.url(path));
      expect(await complaints(page)).toEqual([]);
    });
  }

  test('writes nothing to the console on plain http', async () => {
    await visit(page, server.url('/blank.html', { host: 'insecure' }));
    expect(await complaints(page)).toEqual([]);
  });

  test('makes no network requests', async () => {
    await load(page);
    server.forget();
    await getHash(page);
    await getComponents(page);
    expect(server.requests()).toEqual([]);
  });

  test('never changes the document', async () => {
    await load(page);
    const { mutations, before, after } = await page.evaluate(async () => {
      const before = document.documentElement.outerHTML;
      let mutations = 0;
      const observer = new MutationObserver((records) => {
        mutations += records.length;
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      await window.Whorl.getHash();
      mutations += observer.takeRecords().length;
      observer.disconnect();
      return { mutations, before, after: document.documentElement.outerHTML };
    });
    expect(after).toBe(before);
    expect(mutations).toBe(0);
  });

  test('adds only Whorl to window, and no font to the document', async () => {
    const names = () => page.evaluate(() => Object.getOwnPropertyNames(window));
    const before = await names();
    await load(page);
    await getHash(page);
    expect((await names()).filter((name) => !before.includes(name))).toEqual(['Whorl']);
    expect(await page.evaluate(() => document.fonts.size)).toBe(0);
  });

  test('yields to the page after each reading, if the clock says that 4 ms have passed', async () => {
    await load(page);
    // If the machine stalls, a timer may replace a pause's message before our message has its turn.
    await waitLongerForMessages(page);
    const turns = await page.evaluate(async () => {
      // Each access to the clock takes longer than that, so a pause follows each reading.
      let now = performance.now();
      performance.now = () => {
        now += 5;
        return now;
      };
      let turns = 0;
      let over = false;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        turns++;
        if (!over) port2.postMessage(0);
      };
      port2.postMessage(0);
      await window.Whorl.getHash();
      over = true;
      return turns;
    });
    expect(turns).toBeGreaterThanOrEqual(26);
  });

  test('reads 40 times without losing the WebGL context of the page', async () => {
    await load(page);
    const { hashes, lost } = await page.evaluate(async () => {
      const own = document.createElement('canvas').getContext('webgl');
      const hashes = [];
      for (let call = 0; call < 40; call++) hashes.push((await window.Whorl.getHash())[0]);
      return { hashes, lost: own?.isContextLost() };
    });
    expect(new Set(hashes).size).toBe(1);
    expect(lost).toBe(false);
    expect(unreadableFacets(hashes[0] ?? '')).not.toContain('gpu');
    expect(await complaints(page)).toEqual([]);
  });

  const hangs: Record<string, { patch: () => void; unreadable: string[] }> = {
    'audio never renders': {
      patch: () => {
        OfflineAudioContext.prototype.startRendering = () => new Promise(() => {});
      },
      unreadable: ['audio'],
    },
    'fonts never load': {
      patch: () => {
        FontFace.prototype.load = () => new Promise(() => {});
      },
      unreadable: ['fonts'],
    },
    'IndexedDB never opens': {
      patch: () => {
        IDBFactory.prototype.open = () => Object.create(IDBOpenDBRequest.prototype);
      },
      unreadable: [],
    },
    'voices never load': {
      patch: () => {
        if (!('speechSynthesis' in window)) return;
        SpeechSynthesis.prototype.getVoices = () => [];
        SpeechSynthesis.prototype.addEventListener = () => {};
      },
      unreadable: [],
    },
  };

  /** Reads with enough time for everything that does not hang, also on a slow machine. */
  async function readInTime(clean: string, hanging: readonly string[]): Promise<string> {
    let hash = '';
    for (const timeoutMs of [300, 3000, 30_000]) {
      [hash] = await getHash(page, { timeoutMs });
      if (differences(clean, hash).length <= hanging.length) break;
    }
    return hash;
  }

  for (const [name, { patch, unreadable }] of Object.entries(hangs)) {
    test(`returns a fingerprint if ${name}, with unreadable facets marked`, async () => {
      await load(page);
      const [clean] = await getHash(page);
      await page.reload();
      await page.evaluate(patch);
      await load(page);
      const hash = await readInTime(clean, unreadable);
      expect(differences(clean, hash)).toEqual(unreadable);
      expect(unreadableFacets(hash).sort()).toEqual([...unreadableFacets(clean), ...unreadable].sort());
      expect(await complaints(page)).toEqual([]);
    });
  }

  test('returns a fingerprint if a whole interface is missing or throws', async () => {
    await load(page);
    const [clean] = await getHash(page);
    await page.reload();
    await page.evaluate(() => {
      Reflect.deleteProperty(window, 'OfflineAudioContext');
      Reflect.deleteProperty(window, 'FontFace');
      window.matchMedia = () => {
        throw new DOMException('Not today', 'SecurityError');
      };
    });
    await load(page);
    const [hash] = await getHash(page);
    expect(differences(clean, hash)).toEqual(expect.arrayContaining(['audio', 'fonts', 'input', 'preferences']));
    const { readings } = await getComponents(page);
    expect(readings.audio.status).toBe('unsupported');
    expect(readings.pointers.status).toBe('blocked');
  });
});
