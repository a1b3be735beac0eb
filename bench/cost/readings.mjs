// Measures what each of whorl's readings costs, most expensive first.
//   node cost/readings.mjs [--loads 15] [--markdown]
import { readFile } from 'node:fs/promises';
import { startChromium, withFreshPage } from './browser.mjs';
import { whorl } from './libraries.mjs';
import { readOptions } from './options.mjs';
import { machine, writeResult } from './results.mjs';
import { startServer } from './server.mjs';
import { summarise } from './stats.mjs';
import { formatNumber, formatTable } from './table.mjs';

/**
 * @typedef {object} ReadingLoad
 * @property {string} name
 * @property {string} status
 * @property {number} durationMs As whorl reports it, including waiting.
 * @property {number} [startMs] Time after the call.
 * @property {number} [sliceMs] The longest time within it that held the main thread without interruption.
 */

/**
 * @typedef {object} ReadingsLoad
 * @property {number} timeMs
 * @property {ReadingLoad[]} readings
 */

const { loads, markdown } = readOptions();
const { browserVersion, quiet, ticking } = await measure();
const names = quiet[0]?.readings.map(({ name }) => name) ?? [];
const rows = names.map(toRow).toSorted((a, b) => b.slice.median - a.slice.median);

const path = await writeResult('readings', { browserVersion, machine: machine(), rows, quiet, ticking });
const heading = ['reading', 'status', 'start, ms', 'duration, median', 'p95', 'longest slice, median', 'p95'];
console.log(formatTable([heading, ...rows.map(toCells)], { markdown }));
console.log(`\n${note()}`);
console.error(`All loads are in ${path}.`);

async function measure() {
  const watch = await readFile(new URL('page/watch-readings.js', import.meta.url), 'utf8');
  const script = await readFile(whorl.script, 'utf8');
  const server = await startServer({ readings: `${watch}\n${script}` }, { isolated: true });
  try {
    const browser = await startChromium();
    try {
      /** @type {Record<'quiet' | 'ticking', ReadingsLoad[]>} */
      const all = { quiet: [], ticking: [] };
      for (let round = 0; round <= loads; round++) {
        for (const kind of /** @type {const} */ (['quiet', 'ticking'])) {
          const found = await withFreshPage(browser, server.origin, async (page) => {
            await page.goto(`${server.origin}/readings`);
            await page.evaluate('atRest()');
            return page.evaluate(`measureReadings({ ticking: ${kind === 'ticking'} })`);
          });
          // The first round is a warm-up.
          if (round > 0) all[kind].push(/** @type {ReadingsLoad} */ (found));
        }
      }
      return { browserVersion: browser.version(), ...all };
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/** @param {string} name */
function toRow(name) {
  const of = (/** @type {ReadingsLoad[]} */ from) =>
    from.flatMap(({ readings }) => readings.filter((reading) => reading.name === name));
  const known = (/** @type {(number | undefined)[]} */ values) => values.filter((value) => value !== undefined);
  return {
    name,
    statuses: [...new Set(of([...quiet, ...ticking]).map(({ status }) => status))].join(', '),
    start: summarise(known(of(quiet).map(({ startMs }) => startMs))),
    duration: summarise(of(quiet).map(({ durationMs }) => durationMs)),
    slice: summarise(known(of(ticking).map(({ sliceMs }) => sliceMs))),
  };
}

/** @param {ReturnType<typeof toRow>} row */
function toCells({ name, statuses, start, duration, slice }) {
  const numbers = [start.median, duration.median, duration.p95, slice.median, slice.p95];
  return [name, statuses, ...numbers.map(formatNumber)];
}

function note() {
  const total = summarise(quiet.map(({ timeMs }) => timeMs));
  const { processors, load } = machine();
  return [
    `Chromium ${browserVersion}, software WebGL, ${loads} loads: all readings took ${formatNumber(total.median)} ms,`,
    `p95 ${formatNumber(total.p95)}. ${processors} processors, load average ${load}.`,
    'Durations include waiting. Readings that run at the same time (the first ones) share each other’s slices.',
  ].join(' ');
}
