// Measures the service's maximum throughput of evaluations, and its response times at half of that.
//   node service/main.mjs [--database postgresql|embedded|both] [--seconds 20] [--large] [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { loadAverage } from '../provenance.mjs';
import { runOnEmbedded } from './embedded-run.mjs';
import { startLoad } from './load-process.mjs';
import { readOptions } from './options.mjs';
import { runOnPostgresql } from './postgresql-run.mjs';
import { writeResult } from './results.mjs';
import { meetsTarget, toRows } from './rows.mjs';

const { databases, seconds, large, markdown } = readOptions();
assertBuilt('package', 'service');
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-logs-'));
const runs = await measureAll();
await rm(folder, { recursive: true });
const tables = runs.map((run) => ({ database: run.database, rows: toRows(run) }));
const path = await writeResult('service', {
  measuredAt: new Date().toISOString(),
  options: { databases, seconds, large },
  node: process.version,
  tables: tables.map(({ database, rows }) => ({
    database,
    rows: rows.map((row) => ({ ...row, met: meetsTarget(row) })),
  })),
  runs,
});
for (const { database, rows } of tables) {
  console.log(formatTable([[database, '', 'target', 'met'], ...rows.map(toCells)], { markdown }));
  console.log('');
}
for (const failure of failures()) console.log(failure);
console.log(note());
console.error(`All rounds are in ${path}.`);

async function measureAll() {
  const load = startLoad();
  try {
    const all = [];
    for (const database of databases) {
      const run = database === 'embedded' ? runOnEmbedded : runOnPostgresql;
      all.push(await run(load, { seconds, large, folder, logProgress }));
    }
    return all;
  } finally {
    load.stop();
  }
}

/** @param {string} text */
function logProgress(text) {
  const passed = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.error(`${passed} s, load average ${loadAverage()}: ${text}`);
}

/** @param {import('./rows.mjs').Row} row */
function toCells(row) {
  const { title, value, target } = row;
  const bound = target && ('atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`);
  const met = meetsTarget(row);
  return [title, format(value), bound ?? '', met === undefined ? '' : met ? 'yes' : 'no'];
}

/** @param {number | undefined} value Small values are ratios and times, for which two decimals matter. */
function format(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  if (Number.isInteger(value)) return value.toLocaleString('en-GB');
  return value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0);
}

function failures() {
  return runs.flatMap(({ database, saturated, atHalf, grown }) =>
    [...saturated, ...atHalf, ...grown].flatMap(({ target, failures }) =>
      Object.entries(failures).map(([failure, count]) => `${database}, ${target}: ${count} times ${failure}`),
    ),
  );
}

function note() {
  return [
    `Medians over several rounds, ${seconds} s in total for each figure. Rate limits are raised in the service's settings.`,
    'PostgreSQL with default settings, in a separate cluster on this machine, synced to disk at each commit;',
    `one process of the service, Node ${process.version}. Database, service and load share the processors.`,
  ].join(' ');
}
