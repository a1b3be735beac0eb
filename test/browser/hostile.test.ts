import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FacetName } from '../../src/fingerprint/facets';
import { type IntegrityBit, readIntegrity } from '../../src/fingerprint/integrity';
import { parse } from '../../src/fingerprint/parse';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, TestPage } from './harness/types';
import { callAfter } from './support/hostile';
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
      Object.assign(Object.prototype, { scope: 'changed', timeoutMs: -1, workerUrl: 1, nonce: 1 });
    },
  },
  {
    name: 'objects that inherit names of facets',
    script: () => {
      const names = ['engine', 'platform', 'cpu', 'memory', 'memoryFrom8', 'gpu', 'touch', 'gl', 'raster', 'text'];
      names.push('audio', 'fonts', 'metrics', 'media', 'maths', 'surface', 'screen', 'input', 'locale', 'timezone');
      for (const name of names) Object.assign(Object.prototype, { [name]: 'changed' });
    },
  },
  {
    name: 'objects that inherit settings of canvas and WebGL',
    script: () => {
      const settings = {
        alpha: false,
        colorSpace: 'display-p3',
        failIfMajorPerformanceCaveat: true,
        desynchronized: true,
      };
      Object.assign(Object.prototype, settings);
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
    name: 'a getter of userAgent that throws',
    script: () => {
      Object.defineProperty(Navigator.prototype, 'userAgent', {
        get: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
    unreadable: ['platform', 'memoryFrom8', 'fonts', 'screen'],
    loses: ['headless_user_agent'],
    adds: ['scripted_function', 'unreadable_check'],
  },
  {
    name: 'a getter of platform that throws',
    script: () => {
      Object.defineProperty(Navigator.prototype, 'platform', {
        get: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
    unreadable: ['platform', 'memoryFrom8', 'fonts', 'screen'],
    adds: ['scripted_function', 'unreadable_check'],
  },
  {
    name: 'window.navigator that throws',
    script: () => {
      Object.defineProperty(window, 'navigator', {
        get: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
    unreadable: ['platform', 'cpu', 'memory', 'memoryFrom8', 'touch', 'fonts', 'locale', 'screen'],
    loses: ['webdriver', 'headless_user_agent'],
    adds: ['unreadable_check'],
  },
  {
    name: 'Function.prototype.toString that throws',
    script: () => {
      Function.prototype.toString = () => {
        throw new Error('Thrown by the page');
      };
    },
    unreadable: ['engine'],
    adds: ['unreadable_check'],
  },
  {
    name: 'no scheduler',
    script: () => {
      Reflect.deleteProperty(window, 'scheduler');
    },
  },
  {
    name: 'an accessor that lists inherit',
    script: () => {
      Object.defineProperty(Array.prototype, 0, { configurable: true, get: () => 'changed', set: () => undefined });
    },
  },
  {
    name: 'lists with a toJSON that throws',
    script: () => {
      Object.assign(Array.prototype, {
        toJSON: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
  },
  {
    name: 'objects with a toJSON that throws',
    script: () => {
      Object.assign(Object.prototype, {
        toJSON: () => {
          throw new Error('Thrown by the page');
        },
      });
    },
  },
  {
    name: 'toFixed that rounds in another way',
    script: () => {
      Number.prototype.toFixed = function (digits = 0) {
        return String(Math.round(Number(this) * 10 ** digits) / 10 ** digits);
      };
    },
  },
  {
    name: 'WebGL contexts that get lost',
    script: () => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
        const context = getContext.apply(this, args);
        if (context && 'isContextLost' in context) {
          (context as WebGLRenderingContext).getExtension('WEBGL_lose_context')?.loseContext();
        }
        return context;
      } as typeof getContext;
    },
    unreadable: ['gpu', 'gl'],
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

/** Reads the browser after a script has run. */
function readAfter(page: TestPage, script: () => void): Promise<string> {
  return callAfter(page, server.url('/blank.html'), script, '(await Whorl.collect()).fingerprint');
}

function bitsOf(fingerprint: string): IntegrityBit[] {
  return readIntegrity(parse(fingerprint)?.integrity ?? Number.NaN);
}

describeEngines('a page whose scripts changed', (engine) => {
  let session: BrowserSession;
  let page: TestPage;
  let clean: string;
  beforeAll(async () => {
    session = await openSession(engine);
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
