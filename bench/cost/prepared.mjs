// Measures a call at the click, with and without `prepare()` before it, on a page at rest and on a busy one.
//   node cost/prepared.mjs [--loads 15] [--markdown]
import { readFile } from 'node:fs/promises';
import { startChromium } from './browser.mjs';
import { busyApplication } from './busy-page.mjs';
import { load } from './load.mjs';
import { readOptions } from './options.mjs';
import { machine, writeResult } from './results.mjs';
import { startServer } from './server.mjs';
import { summarise } from './stats.mjs';
import { formatNumber, formatTable } from './table.mjs';

const busy = await busyApplication();
/** `getComponents` only reads. `getHash` also saves the fingerprint. @type {Record<string, { call: string, page?: string }>} */
const calls = {
  'reading only (getComponents)': { call: '(await Whorl.getComponents()).fingerprint' },
  'reading and saving (getHash)': { call: '(await Whorl.getHash())[0]' },
  'reading and saving, on a busy page': { call: '(await Whorl.getHash())[0]', page: busy },
};

const unprepared = 'let isReady = true;';
const prepared = 'let isReady = false; Whorl.prepare().then(() => { isReady = true; });';

const { loads, markdown } = readOptions();
const script = await readFile(new URL('../../dist/whorl.min.js', import.meta.url), 'utf8');
const titles = Object.keys(calls);
const pages = Object.fromEntries(
  Object.entries(calls).flatMap(([title, { call, page = '' }]) =>
    Object.entries({ unprepared, prepared }).map(([kind, start]) => [
      `${title} ${kind}`,
      `${script}
      ${page}
      ${start}
      window.run = async () => {
        if (!isReady) throw new Error('prepare() has not resolved.');
        return ${call};
      };`,
    ]),
  ),
);

/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
const hashes = new Set();
const before = machine();
const browserVersion = await measure();

const path = await writeResult('prepared', { browserVersion, machine: { before, after: machine() }, loads, times });
const rows = titles.map((title) => {
  const [without, after] = ['unprepared', 'prepared'].map((kind) => summarise(times[`${title} ${kind}`] ?? []));
  const numbers = [without?.median, after?.median, after?.p95].map(formatNumber);
  return [title, ...numbers, (Number(after?.median) / Number(without?.median)).toFixed(2)];
});
const heading = ['', 'without prepare, ms, median', 'after prepare, ms, median', 'p95', 'ratio'];
console.log(formatTable([heading, ...rows], { markdown }));
console.log(
  `\nChromium ${browserVersion}, software WebGL, ${loads} loads each, ${hashes.size} different fingerprints. ` +
    `${before.processors} processors, load average ${before.load} before and ${machine().load} after.`,
);
console.error(`All loads are in ${path}.`);

async function measure() {
  const server = await startServer(pages, { isolated: true });
  try {
    const browser = await startChromium();
    try {
      for (let round = 0; round <= loads; round++) {
        const names = Object.keys(pages);
        for (const name of round % 2 ? names.toReversed() : names) {
          const { timeMs, hash } = await load(browser, server.origin, { name, cold: false, ticking: false });
          hashes.add(hash);
          // The first round is a warm-up.
          if (round > 0) times[name]?.push(timeMs);
        }
      }
      return browser.version();
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}
