import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { listen } from '../listen.mjs';

/**
 * @typedef {object} BenchServer
 * @property {string} origin
 * @property {() => Promise<void>} close
 */

/**
 * Serves a blank page for each script, at `/NAME`. With `?cold=ticking` or `?cold=quiet`, the page calls `run()` as
 * soon as the script has loaded. Pages are a secure context (localhost), like most pages on the web.
 *
 * @param {Record<string, string>} scripts
 * @param {{ isolated?: boolean }} [options] `isolated`: headers isolate the page, so that its clock has a resolution of
 *   5 µs instead of 100.
 * @returns {Promise<BenchServer>}
 */
export async function startServer(scripts, { isolated = false } = {}) {
  const measure = await readFile(new URL('page/measure.js', import.meta.url), 'utf8');
  const isolation = isolated
    ? { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
    : {};
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { type, content } = answer(decodeURIComponent(pathname.slice(1)), searchParams.get('cold'));
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...isolation };
    response.writeHead(content === undefined ? 404 : 200, headers).end(content);
  });

  /** @param {string} path @param {string | null} cold */
  function answer(path, cold) {
    if (path === 'measure.js') return { type: 'text/javascript', content: measure };
    if (path.endsWith('.js')) return { type: 'text/javascript', content: scripts[path.slice(0, -'.js'.length)] };
    return { type: 'text/html', content: path in scripts ? page(path, cold) : undefined };
  }

  const { port, close } = await listen(server);
  return {
    origin: `http://localhost:${port}`,
    close,
  };
}

/**
 * The icon link prevents browsers from requesting one.
 *
 * @param {string} name
 * @param {string | null} cold
 */
function page(name, cold) {
  const call = cold ? `<script>window.result = measure({ ticking: ${cold === 'ticking'} })</script>` : '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>cost</title>
<link rel="icon" href="data:,">
<script src="/measure.js"></script>
<script src="/${encodeURIComponent(name)}.js"></script>
${call}
<p>A page with a script.</p>
</html>
`;
}
