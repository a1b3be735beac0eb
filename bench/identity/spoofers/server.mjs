import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { bundle } from '../../cost/bundle.mjs';
import { peers, whorl } from '../../cost/libraries.mjs';
import { listen } from '../../listen.mjs';

/** @typedef {Awaited<ReturnType<typeof startServer>>} SpoofersServer */

/** The names of the libraries that run in addition to whorl. */
export const peerNames = peers.map(({ name }) => name);

/**
 * Serves one page with whorl's script-tag file and all peers, each under its name in `window.peers`. With `?post=KEY`,
 * the page reads itself and posts `{ fingerprint, withWorker }` for the caller of `posted(KEY)`.
 */
export async function startServer() {
  const bundles = await Promise.all(
    peers.map(async (peer) => {
      const { code } = await bundle(peer);
      return `${code};(window.peers ??= {})[${JSON.stringify(peer.name)}] = window.run;`;
    }),
  );
  /** @type {Record<string, string>} */
  const scripts = {
    '/whorl.min.js': await readFile(whorl.script, 'utf8'),
    '/whorl-worker.min.js': await readFile(whorl.worker, 'utf8'),
    '/peers.js': bundles.join('\n'),
    '/post.js': `(${post})();`,
  };
  /** @type {Map<string, (answer: Posted) => void>} */
  const waiting = new Map();

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const key = searchParams.get('post');
    if (request.method === 'POST') {
      waiting.get(key ?? '')?.(/** @type {Posted} */ (await json(request)));
      response.end();
      return;
    }
    const script = scripts[pathname];
    const type = script === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
    response.end(script ?? page(key !== null));
  });
  const { port, close } = await listen(server);
  return {
    origin: `http://localhost:${port}`,
    /** Resolves to the result that the page with this key posts. @param {string} key @returns {Promise<Posted>} */
    posted: (key) => new Promise((resolve) => waiting.set(key, resolve)),
    close,
  };
}

/** @typedef {{ fingerprint: string, withWorker: string, userAgent: string }} Posted */

/** @param {boolean} posting */
function page(posting) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>spoofers</title>
<link rel="icon" href="data:,">
<script src="/whorl.min.js"></script>
<script src="${posting ? '/post.js' : '/peers.js'}"></script>
<p>A page that is read.</p>
</html>
`;
}

/** Runs in the page. */
async function post() {
  const { getComponents } = window.Whorl;
  const { fingerprint } = await getComponents();
  const { fingerprint: withWorker } = await getComponents({ workerUrl: '/whorl-worker.min.js', timeoutMs: 10_000 });
  const body = JSON.stringify({ fingerprint, withWorker, userAgent: navigator.userAgent });
  await fetch(location.href, { method: 'POST', body });
}
