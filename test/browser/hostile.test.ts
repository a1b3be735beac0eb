import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FacetName } from '../../src/fingerprint/facets';
import { type IntegrityBit, readIntegrity } from '../../src/fingerprint/integrity';
import { parse } from '../../src/fingerprint/parse';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { differences, unreadableFacets } from './support/whorl';

/** What a script of the page does before ours runs. */
interface Case {
  readonly name: string;
  readonly script: () => void;
  /** The facets that may be unreadable then. All others must stay equal. */
  readonly unreadable?: readonly FacetName[];
  /** The bits that are set beside those of the page without the script. */
  readonly adds?: readonly IntegrityBit[];
  /** The bits that are lost. */
  readonly loses?: readonly IntegrityBit[];
}

const cases: readonly Case[] = [
  {
    name: 'window.Promise of another class',
    script: () => {
      window.Promise = class extends Promise<unknown> {} as PromiseConstructor;
    },
  },
  {
    name: 'lists with toJSON',
    script: () => {
      Object.assign(Array.prototype, { toJSON: () => 'changed' });
    },
  },
  {
    name: 'a setter that lists inherit',
    script: () => {
      Object.defineProperty(Array.prototype, 0, { configurable: true, set: () => undefined });
    },
  },
  {
    name: 'objects that inherit names of options',
    script: () => {
      Object.assign(Object.prototype, { scope: 'changed', timeoutMs: -1, workerUrl: 1 });
    },
  },
  {
    name: 'no MessageChannel',
    script: () => {
      Reflect.deleteProperty(window, 'MessageChannel');
    },
  },
  {
    name: 'a MessageChannel whose messages never arrive',
    script: () => {
      MessagePort.prototype.postMessage = () => undefined;
    },
  },
  {
    name: 'no performance',
    script: () => {
      Reflect.deleteProperty(window, 'performance');
    },
  },
  {
    name: 'console.groupEnd that throws',
    script: () => {
      console.groupEnd = () => {
        throw new Error('Thrown by the page');
      };
    },
    loses: ['inspected'],
    adds: ['unreadable_check'],
  },
  {
    name: 'no console',
    script: () => {
      Reflect.deleteProperty(window, 'console');
    },
    loses: ['inspected'],
    adds: ['unreadable_check'],
  },
  {
    name: 'matchMedia that throws',
    script: () => {
      window.matchMedia = () => {
        throw new Error('Thrown by the page');
      };
    },
    unreadable: ['screen', 'input', 'preferences'],
    adds: ['unreadable_check'],
  },
  {
    name: 'navigator.webdriver that throws',
    script: () => {
      Object.defineProperty(navigator, 'webdriver', {
        get: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
    adds: ['unreadable_check'],
  },
  {
    name: 'a getter of webdriver that throws',
    script: () => {
      Object.defineProperty(Navigator.prototype, 'webdriver', {
        get: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
    loses: ['webdriver'],
    adds: ['scripted_function', 'unreadable_check'],
  },
  {
    name: 'no navigator.webdriver',
    script: () => {
      Reflect.deleteProperty(Navigator.prototype, 'webdriver');
    },
    loses: ['webdriver'],
    adds: ['unreadable_check'],
  },
  {
    name: 'no HTMLCanvasElement',
    script: () => {
      Reflect.deleteProperty(window, 'HTMLCanvasElement');
    },
    adds: ['unreadable_check'],
  },
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/**
 * Reads the browser in a frame, after a script has run there, so that the script changes nothing that the test itself
 * uses.
 */
async function readAfter(page: TestPage, script: () => void): Promise<string> {
  await page.goto(server.url('/blank.html'));
  return page.evaluate(async (source) => {
    const frame = document.createElement('iframe');
    frame.src = '/blank.html';
    await new Promise((resolve) => {
      frame.onload = resolve;
      document.body.append(frame);
    });
    const inside = frame.contentWindow as (Window & typeof globalThis) | null;
    if (!inside) throw new Error('The frame has no window');
    // Taken first, because the script may replace them.
    const tag = inside.document.createElement('script');
    const { head } = inside.document;
    inside.eval(source);
    tag.src = '/dist/whorl.min.js';
    await new Promise((resolve, reject) => {
      tag.onload = resolve;
      tag.onerror = () => reject(new Error('The script did not load'));
      head.append(tag);
    });
    const { fingerprint } = await inside.Whorl.collect();
    return fingerprint;
  }, `(${script})()`);
}

function bitsOf(fingerprint: string): IntegrityBit[] {
  return readIntegrity(parse(fingerprint)?.integrity ?? Number.NaN);
}

describeEngines('a page whose scripts changed', (engine) => {
  let session: BrowserSession;
  let page: TestPage;
  let clean: string;
  beforeAll(async () => {
    session = await engine.launch();
    page = await session.open();
    clean = await readAfter(page, () => undefined);
  });
  afterAll(() => session?.close());

  test.each(cases)('$name', async ({ script, unreadable = [], adds = [], loses = [] }) => {
    const fingerprint = await readAfter(page, script);
    const changed = differences(clean, fingerprint);
    expect(changed.filter((facet) => !unreadable.includes(facet))).toEqual([]);
    expect(unreadableFacets(fingerprint)).toEqual(expect.arrayContaining(changed));
    const expected = [...bitsOf(clean).filter((bit) => !loses.includes(bit)), ...adds];
    expect(new Set(bitsOf(fingerprint))).toEqual(new Set(expected));
  });
});
