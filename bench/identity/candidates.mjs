// Reads the properties that a fingerprint could contain besides its facets (page/candidates.js) in all browsers here.
//   node identity/candidates.mjs
// Prints for each: the number of different values over the browsers, in how many it is available, the cost of the
// first call, and the size of the function, minified and after gzip. All values are in
// bench/identity/results/candidates.json.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { runInNewContext } from 'node:vm';
import { bundle } from '../cost/bundle.mjs';
import { listen } from '../listen.mjs';
import { provenanceLine } from '../provenance.mjs';
import { startBuild } from './build-browser.mjs';
import { builds, fetchBuild } from './builds.mjs';
import { loadEngine } from './harness.mjs';

const script = await readFile(new URL('page/candidates.js', import.meta.url), 'utf8');
const html = `<!doctype html><title>Candidates</title><link rel="icon" href="data:,"><script>${script}</script>`;
const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
const { port } = await listen(server);

/** @type {Record<string, () => Promise<{ open(): Promise<any>, close(): Promise<void> }>>} */
const browsers = Object.fromEntries(
  Object.entries(builds).map(([major, version]) => [
    `Chromium ${major}`,
    async () => startBuild(await fetchBuild(version), { major: Number(major) }),
  ]),
);
for (const [name, engine] of /** @type {const} */ ([
  ['Chromium', 'chromium'],
  ['Firefox', 'firefox'],
  ['WebKit', 'webkit'],
])) {
  const { launch } = await loadEngine(engine);
  browsers[name] = () => launch({});
  if (engine !== 'webkit') browsers[`${name}, private`] = () => launch({ privateMode: true });
  if (engine === 'chromium') browsers[`${name}, window`] = () => launch({ headful: true });
}

/** @type {Record<string, Record<string, { value: string, ms: number }>>} */
const results = {};
for (const [name, start] of Object.entries(browsers)) {
  const session = await start();
  try {
    const page = await session.open();
    await page.goto(`http://localhost:${port}/`);
    results[name] = await page.evaluate('measureCandidates()');
  } finally {
    await session.close();
  }
}
server.close();

const folder = new URL('results/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('candidates.json', folder), `${JSON.stringify(results, undefined, 2)}\n`);
const all = Object.values(results);
/** @type {{ candidates?: Record<string, () => unknown> }} */
const inPage = {};
runInNewContext(script, inPage);
console.log(`| candidate | values in ${all.length} browsers | available in | cost of the first call, ms | bytes |`);
console.log('|---|---|---|---|---|');
for (const name of Object.keys(all[0] ?? {})) {
  const read = all.flatMap((each) => each[name] ?? []);
  const available = read.filter(({ value }) => value !== 'not available');
  const times = available.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const range = times.length > 0 ? `${times[0]?.toFixed(1)} to ${times.at(-1)?.toFixed(1)}` : '';
  const values = new Set(available.map(({ value }) => value)).size;
  const { bundleBytes } = await bundle({ entry: `window.read = ${inPage.candidates?.[name]}` });
  console.log(`| ${name} | ${values} | ${available.length} | ${range} | ${bundleBytes.gzip} |`);
}
console.log(`\n${provenanceLine()}`);
// The virtual display of the window would keep the process alive.
process.exit();
