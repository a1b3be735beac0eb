// Checks that `workerUrl` does not change a fingerprint, in real Chromium builds.
//   npm run --silent --prefix bench workers [-- --held-out] [--markdown]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { whorl } from '../cost/libraries.mjs';
import { formatTable } from '../cost/table.mjs';
import { listen } from '../listen.mjs';
import { startBuild } from './build-browser.mjs';
import { builds, fetchBuild, heldOutBuilds } from './builds.mjs';

const moved = ['fonts', 'raster', 'text', 'metrics', 'scripts', 'gpu', 'glParameters', 'glExtensions'];

const { values: options } = parseArgs({
  options: { 'held-out': { type: 'boolean', default: false }, markdown: { type: 'boolean', default: false } },
});
const server = await serve();
const rows = [];
for (const [major, version] of Object.entries(options['held-out'] ? heldOutBuilds : builds)) {
  const browser = await startBuild(await fetchBuild(version), { major: Number(major) });
  try {
    // In two pages, because WebGL is read once per page.
    const [inWorker, inPage] = [await read(browser, { workerUrl: '/whorl-worker.min.js' }), await read(browser, {})];
    const { status, durationMs } = inWorker.readings.worker;
    // The package states the worker's time for what the worker made.
    const made = moved.filter((name) => status === 'ok' && inWorker.readings[name].durationMs === durationMs);
    const changed = Object.keys(inPage.facets).filter((name) => inPage.facets[name] !== inWorker.facets[name]);
    const isSame = inWorker.fingerprint === inPage.fingerprint;
    rows.push([major, isSame ? 'yes' : `no: ${changed.join(', ')}`, status, `${made.length} of ${moved.length}`]);
  } finally {
    await browser.close();
  }
}
await server.close();
console.log(formatTable([['build', 'same fingerprint', 'worker', 'made in the worker'], ...rows], options));
// The browsers' pipes would keep the process alive.
process.exit(rows.every(([, isSame]) => isSame === 'yes') ? 0 : 1);

/** Serves a page with the package's own files. */
async function serve() {
  /** @type {Record<string, string>} */
  const scripts = {
    '/whorl.min.js': await readFile(whorl.script, 'utf8'),
    '/whorl-worker.min.js': await readFile(whorl.worker, 'utf8'),
  };
  const page = '<!doctype html><title>workers</title><script src="/whorl.min.js"></script>';
  const { port, close } = await listen(
    createServer(({ url = '/' }, response) => {
      const script = scripts[url];
      response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' });
      response.end(script ?? page);
    }),
  );
  return { origin: `http://localhost:${port}/`, close };
}

/** @param {import('./build-browser.mjs').BuildBrowser} browser @param {object} options */
async function read(browser, options) {
  const page = await browser.open();
  await page.goto(server.origin);
  return page.evaluate(`Whorl.getComponents(${JSON.stringify({ timeoutMs: 20_000, ...options })})`);
}
