// The ways to visit a page, by the names that cases use.
import { spawn } from 'node:child_process';

/**
 * @typedef {object} Page The common interface of all drivers.
 * @property {(url: string) => Promise<void>} goto
 * @property {(expression: string) => Promise<any>} evaluate
 * @property {(width: number, height: number) => Promise<void>} [resize]
 * @property {() => Promise<void>} [reload]
 *
 * @typedef {{ open(): Promise<Page>, close(): Promise<void> }} Session
 * @typedef {{ fingerprint: string, facets: object, readings: object, peers: Record<string, { hash?: string, error?:
 *   string }>, userAgent: string }} Reading
 * @typedef {(session: Session, server: import('./server.mjs').IdentityServer) => Promise<Reading>} Visit
 */

const read = 'readIdentity()';

/** @param {string} path @param {import('./server.mjs').Host} [host] @returns {Visit} */
const simply = (path, host) => async (session, server) => {
  const page = await session.open();
  await page.goto(server.url(path, host));
  return page.evaluate(read);
};

/** @param {(page: any) => Promise<void>} change @returns {Visit} */
const after = (change) => async (session, server) => {
  const page = await session.open();
  await page.goto(server.url('/host?src=about:blank'));
  await change(page);
  await page.goto(server.url('/page'));
  return page.evaluate(read);
};

/** @param {import('./server.mjs').Host} host @param {string} more @returns {Visit} */
const framed = (host, more) => async (session, server) => {
  const page = await session.open();
  await page.goto(server.url(`/host?src=${encodeURIComponent(server.url('/framed', host))}${more}`));
  return page.evaluate('framed');
};

/** @satisfies {Record<string, Visit>} */
export const visits = {
  page: simply('/page'),
  'plain http': simply('/page', 'insecure.test'),
  'strict CSP': simply('/strict-csp'),
  'cross-site frame': framed('127.0.0.1', ''),
  'sandboxed frame': framed('localhost', '&sandbox'),
  resized: after((page) => page.resize(640, 480)),
  maximised: after((page) => page.resize(1910, 900)),
  reloaded: async (session, server) => {
    const page = await session.open();
    await page.goto(server.url('/page'));
    await page.evaluate(read);
    await page.reload?.();
    return page.evaluate(read);
  },
  'under load': async (session, server) => {
    const spinners = Array.from({ length: 6 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    try {
      return await visits.page(session, server);
    } finally {
      for (const spinner of spinners) spinner.kill('SIGKILL');
    }
  },
  'twenty at once': async (session, server) => {
    const pages = await inOrder(20, () => session.open());
    return oneOf(
      await Promise.all(
        pages.map(async (page) => {
          await page.goto(server.url('/page'));
          return page.evaluate(read);
        }),
      ),
    );
  },
};

/** @template Value @param {number} count @param {() => Promise<Value>} make */
async function inOrder(count, make) {
  const made = [];
  for (let index = 0; index < count; index++) made.push(await make());
  return made;
}

/**
 * Combines readings into one. If they differ, takes one that differs from the first. Joins all hashes of each peer.
 *
 * @param {Reading[]} readings
 * @returns {Reading}
 */
function oneOf(readings) {
  const [first] = readings;
  if (!first) throw new Error('No page was read.');
  const other = readings.find(({ fingerprint }) => fingerprint !== first.fingerprint);
  const peers = Object.keys(first.peers).map((name) => {
    const hashes = new Set(readings.map(({ peers }) => peers[name]?.hash ?? 'error'));
    return [name, { hash: [...hashes].sort().join(' ') }];
  });
  return { ...(other ?? first), peers: Object.fromEntries(peers) };
}
