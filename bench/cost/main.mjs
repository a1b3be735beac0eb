// Measures what a fingerprint costs in a page: whorl and its peers, in one run and one browser.
//   node cost/main.mjs [--loads 15] [--cold] [--markdown]
import { startChromium } from './browser.mjs';
import { bundle } from './bundle.mjs';
import { control, peers, whorl } from './libraries.mjs';
import { measureAll } from './measure-all.mjs';
import { readOptions } from './options.mjs';
import { machine, writeResult } from './results.mjs';
import { meetsTarget, toRows } from './rows.mjs';
import { startServer } from './server.mjs';
import { formatNumber, formatTable } from './table.mjs';

const { loads, cold, markdown } = readOptions();
const pages = await Promise.all(
  [whorl, ...peers, control].map(async (library) => ({ ...library, bundle: await bundle(library) })),
);
const before = machine();
const { browserVersion, measured } = await measure();
const columns = pages.map(({ name, bundle }) => ({ name, bundle, loads: assertDefined(measured[name]) }));
const rows = toRows(columns);

const path = await writeResult(cold ? 'cost-cold' : 'cost', {
  measuredAt: new Date().toISOString(),
  options: { loads, cold },
  browserVersion,
  machine: { before, after: machine() },
  libraries: pages.map(({ name, version, bundle: { code: _, ...sizes } }) => ({ name, version, ...sizes })),
  rows: rows.map((row) => ({ ...row, met: meetsTarget(row) })),
  loads: measured,
});
console.log(formatTable([heading(), ...rows.map(toCells)], { markdown }));
console.log(`\n${note()}`);
console.error(`All loads are in ${path}.`);

async function measure() {
  const server = await startServer(Object.fromEntries(pages.map(({ name, bundle }) => [name, bundle.code])));
  try {
    const browser = await startChromium();
    try {
      const names = pages.map(({ name }) => name);
      const onRound = (/** @type {number} */ round) =>
        console.error(round ? `Round ${round} of ${loads}` : 'Warming up');
      const measured = await measureAll(browser, server.origin, { names, loads, cold, onRound });
      return { browserVersion: browser.version(), measured };
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

function heading() {
  return ['', ...pages.map(({ name, version }) => `${name} ${version}`.trim()), 'ratio', 'target', 'met'];
}

/** @param {import('./rows.mjs').Row} row */
function toCells(row) {
  const { title, values, ratio, target } = row;
  const met = meetsTarget(row);
  return [
    title,
    ...values.map(formatNumber),
    ratio === undefined ? '' : ratio.toFixed(2),
    target?.ratio !== undefined ? `ratio ${target.ratio}` : formatNumber(target?.value),
    met === undefined ? '' : met ? 'yes' : 'no',
  ];
}

function note() {
  const { processors, load } = machine();
  const when = cold ? 'called as soon as the script had loaded' : 'called when the page was idle';
  return [
    `Chromium ${browserVersion}, software WebGL, ${loads} loads each, ${when}.`,
    `${processors} processors, load average ${before.load} before and ${load} after.`,
    'Ratio: whorl divided by the best of its peers. "nothing" is a page that waits 100 ms.',
  ].join(' ');
}

/** @template Value @param {Value | undefined} value @returns {Value} */
function assertDefined(value) {
  if (value === undefined) throw new Error('A page was not measured.');
  return value;
}
