import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FacetName } from '../../src/fingerprint/facets';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, EngineName, LaunchOptions, TestPage } from './harness/types';
import { inPage } from './support/session';
import { differences, getHash, load, visit } from './support/whorl';

/** An everyday change on one device, after which the fingerprint must stay the same. */
interface Case {
  readonly name: string;
  readonly only?: readonly EngineName[];
  readonly launch?: LaunchOptions;
  /** How to read the fingerprint. Default: a visit to a blank page. */
  readonly read?: (page: TestPage, server: TestServer, session: BrowserSession) => Promise<string>;
  /** The facets that may change. All others must stay equal. */
  readonly mayChange?: readonly FacetName[];
}

const at = async (page: TestPage, url: string) => (await visit(page, url))[0];
const blank = (page: TestPage, server: TestServer) => at(page, server.url('/blank.html'));
const chromiumAndFirefox: readonly EngineName[] = ['chromium', 'firefox'];

const cases: readonly Case[] = [
  { name: 'another profile', launch: {} },
  {
    name: 'reload',
    read: async (page, server) => {
      await blank(page, server);
      await page.reload();
      await load(page);
      return (await getHash(page))[0];
    },
  },
  { name: 'private window', launch: { privateMode: true } },
  {
    name: 'a real window instead of none',
    only: chromiumAndFirefox,
    launch: { headful: true },
    // Without a window, Firefox has no pointing device and a different screen.
    mayChange: ['input', 'screen'],
  },
  { name: 'zoomed to 150%', only: chromiumAndFirefox, launch: { zoom: 1.5 } },
  { name: 'display scale 2', launch: { scaleFactor: 2 } },
  { name: 'display scale 1.25', only: ['chromium'], launch: { scaleFactor: 1.25 } },
  { name: 'display scale 1.5 and zoomed to 110%', only: ['chromium'], launch: { scaleFactor: 1.5, zoom: 1.1 } },
  {
    name: 'window resized',
    read: (page, server) => blankAfter(() => page.resize(640, 480), page, server),
  },
  {
    name: 'window elsewhere on the monitor',
    read: (page, server) => blankAfter(() => page.moveTo(700, 300), page, server),
  },
  {
    name: 'cross-site frame',
    read: (page, server) => framed(page, server, 'cross-site'),
  },
  { name: 'sandboxed frame', read: (page, server) => framed(page, server, 'sandboxed') },
  {
    name: 'plain http',
    read: (page, server) => at(page, server.url('/blank.html', { host: 'insecure' })),
    mayChange: ['memory', 'memoryFrom8'],
  },
  { name: 'strict CSP', read: (page, server) => at(page, server.url('/strict-csp.html')) },
  {
    name: 'a page in an older encoding',
    read: async (page, server) => {
      const hash = await at(page, server.url('/older-encoding.html'));
      expect(await page.evaluate(() => document.characterSet)).toBe('windows-1252');
      return hash;
    },
  },
  { name: "the page's own style", read: (page, server) => at(page, server.url('/styled.html')) },
  { name: 'busy processor', read: underLoad },
  {
    name: 'twenty concurrent tabs',
    only: chromiumAndFirefox,
    read: async (page, server, session) => {
      const tabs = [page, ...(await Promise.all(Array.from({ length: 19 }, () => session.open())))];
      const [first = '', ...others] = await Promise.all(tabs.map((tab) => blank(tab, server)));
      expect(others).toHaveLength(19);
      for (const other of others) {
        expect(differences(first, other)).toEqual([]);
        expect(other).toBe(first);
      }
      return first;
    },
  },
];

async function blankAfter(change: () => Promise<void>, page: TestPage, server: TestServer): Promise<string> {
  await page.goto(server.url('/blank.html'));
  await change();
  await load(page);
  return (await getHash(page))[0];
}

async function framed(page: TestPage, server: TestServer, kind: 'cross-site' | 'sandboxed'): Promise<string> {
  await page.goto(server.url('/frame-host.html'));
  const source = server.url('/framed.html', { host: kind === 'cross-site' ? '127.0.0.1' : 'localhost' });
  const answer = await page.evaluate(
    (src, sandboxed) =>
      new Promise<{ hash?: string[]; error?: string }>((resolve) => {
        addEventListener('message', ({ data }) => resolve(data), { once: true });
        const frame = document.createElement('iframe');
        if (sandboxed) frame.setAttribute('sandbox', 'allow-scripts');
        frame.src = src;
        document.body.append(frame);
      }),
    source,
    kind === 'sandboxed',
  );
  expect(answer.error).toBeUndefined();
  return answer.hash?.[0] ?? '';
}

async function underLoad(page: TestPage, server: TestServer): Promise<string> {
  const spinners: ChildProcess[] = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await blank(page, server);
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL');
  }
}

describeEngines('the same device keeps its fingerprint', (engine) => {
  let server: TestServer;
  let session: BrowserSession;
  let reference: string;

  /** Starts a browser for launch options. Other cases share one browser, because starting takes longest. */
  async function readWith(launch: LaunchOptions | undefined, read: NonNullable<Case['read']>): Promise<string> {
    if (launch) return inPage(engine, launch, (page, own) => read(page, server, own));
    const page = await session.open();
    try {
      return await read(page, server, session);
    } finally {
      await page.close();
    }
  }

  beforeAll(async () => {
    server = await startServer();
    session = await engine.launch();
    // WebKit exits with its last tab.
    await session.open();
    reference = await readWith(undefined, blank);
  });
  afterAll(async () => {
    await session.close();
    await server.close();
  });

  for (const { name, only, launch, read = blank, mayChange = [] } of cases) {
    if (only && !only.includes(engine.name)) continue;
    test(name, async () => {
      const changed = differences(reference, await readWith(launch, read));
      expect(changed.filter((facet) => !mayChange.includes(facet))).toEqual([]);
    });
  }
});
