// Measures what a fingerprint costs in a page: whorl and its peers, in one run, in each scenario.
//   node cost/main.mjs [--loads 15] [--only cold|process|warm] [--also LABEL=PATH] [--pages NAME,NAME] [--markdown]

import { readFile } from 'node:fs/promises';
import { bundle } from './bundle.mjs';
import { control, otherBuild, peers, probes, whorl, whorlWithWorker } from './libraries.mjs';
import { measureAll } from './measure-all.mjs';
import { readOptions } from './options.mjs';
import { machine, writeResult } from './results.mjs';
import { meetsTarget, toRows } from './rows.mjs';
import { startServer } from './server.mjs';
import { formatNumber, formatTable } from './table.mjs';

/** The scenarios, in the order of their tables. `cold` and `newBrowser`: see load.mjs and measure-all.mjs. */
const scenarios = {
  cold: { when: 'a new context for each load, called from the page’s own script', cold: true, newBrowser: false },
  process: { when: 'a new browser for each load, called from the page’s own script', cold: true, newBrowser: true },
  warm: { when: 'a new context for each load, called when the page was idle', cold: false, newBrowser: false },
};

const { loads, only, markdown, also, pages: named } = readOptions();
const usual = [whorl, ...also.map(otherBuild), ...peers, whorlWithWorker, control];
const chosen = named ? [...usual, ...probes].filter(({ name }) => named.includes(name)) : usual;
const pages = await Promise.all(chosen.map(async (library) => ({ ...library, bundle: await bundle(library) })));
for (const [name, scenario] of Object.entries(scenarios)) {
  if (only === undefined || only === name) await runScenario(name, scenario);
}

/** @param {string} name @param {typeof scenarios[keyof typeof scenarios]} scenario */
async function runScenario(name, { when, cold, newBrowser }) {
  const before = machine();
  const { browserVersion, measured } = await measure({ cold, newBrowser });
  const columns = pages.map(({ name, bundle }) => ({
    name,
    bundle,
    loads: assertDefined(measured[name]),
    isPeer: peers.some((peer) => peer.name === name),
  }));
  const rows = toRows(columns, { cold });
  const after = machine();
  const path = await writeResult(`cost-${name}`, {
    measuredAt: new Date().toISOString(),
    options: { loads, name },
    browserVersion,
    machine: { before, after },
    libraries: pages.map(({ name, version, bundle: { code: _, ...sizes } }) => ({ name, version, ...sizes })),
    rows: rows.map((row) => ({ ...row, met: meetsTarget(row) })),
    loads: measured,
  });
  console.log(formatTable([heading(), ...rows.map(toCells)], { markdown }));
  console.log(
    `\nChromium ${browserVersion}, software WebGL, ${loads} loads each: ${when}. ` +
      `${after.processors} processors, load average ${before.load} before and ${after.load} after. ` +
      'Ratio: whorl (first column) divided by the best of its peers. "nothing" is a page that waits 100 ms.\n',
  );
  console.error(`All loads are in ${path}.`);
}

/** @param {{ cold: boolean, newBrowser: boolean }} options */
async function measure(options) {
  const worker = await readFile(whorl.worker, 'utf8');
  const scripts = Object.fromEntries(pages.map(({ name, bundle }) => [name, bundle.code]));
  const server = await startServer({ ...scripts, 'whorl-worker.min': worker });
  try {
    const names = pages.map(({ name }) => name);
    const onRound = (/** @type {number} */ round) => console.error(round ? `Round ${round} of ${loads}` : 'Warming up');
    return await measureAll(server.origin, { names, loads, onRound, ...options });
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

/** @template Value @param {Value | undefined} value @returns {Value} */
function assertDefined(value) {
  if (value === undefined) throw new Error('A page was not measured.');
  return value;
}
