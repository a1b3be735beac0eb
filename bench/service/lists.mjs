// Measures what entries of lists cost an evaluation: two projects on one service, one without entries.
//   node service/lists.mjs [--entries 100000] [--rounds 20] [--markdown]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { fingerprintOfNew } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { processorMs } from './processor.mjs';
import { writeResult } from './results.mjs';
import { command, makeProject, project, startService } from './service.mjs';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '20' },
    markdown: { type: 'boolean', default: false },
  },
});
const entries = Number(values.entries);
const rounds = Number(values.rounds);
/** Evaluations of one project in a round. */
const perRound = 200;
const people = 500;
const other = 'without entries';

/** Kinds of entries, each with the value at a position. None of them is about somebody who is evaluated. */
const kinds = [
  ['address', (at) => `11.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`],
  ['address', (at) => `12.${(at >> 8) & 255}.${at & 255}.0/24`],
  ['user', (at) => `listed-${at}`],
  ['email_domain', (at) => `listed-${at}.example`],
  ['asn', (at) => String(100_000 + at)],
];

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-lists-'));
const cluster = await startCluster();
try {
  await query(cluster.url('postgres'), 'create database lists');
  const environment = {
    DATABASE_URL: cluster.url('lists'),
    WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more',
  };
  const listed = await makeProject(environment);
  const unlisted = await makeOther(environment);
  await addEntries(environment);
  const service = await startService(environment, { logFile: join(folder, 'log') });
  try {
    const sides = [
      { name: 'no entry', key: unlisted, times: [], processor: 0 },
      { name: `${formatNumber(entries)} entries`, key: listed, times: [], processor: 0 },
    ];
    for (const side of sides) await evaluateAll(service.url, side, people);
    for (const side of sides) side.times = [];
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = processorMs(service.pid) ?? 0;
        await evaluateAll(service.url, side, perRound);
        side.processor += (processorMs(service.pid) ?? 0) - before;
      }
    }
    const rows = sides.map(({ name, times, processor }) => ({ name, ...figuresOf(times, processor) }));
    console.log(formatTable(linesOf(rows), { markdown: values.markdown }));
    const measured = { measuredAt: new Date().toISOString(), node: process.version, entries, rounds, perRound, rows };
    console.error(`All results are in ${await writeResult('lists', measured)}.`);
  } finally {
    await service.stop();
  }
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** Creates the project without entries. */
async function makeOther(environment) {
  const created = await command(environment, 'project', 'create', '--name', other);
  const limits = JSON.stringify({ secret_per_second: 1_000_000 });
  await command(environment, 'settings', 'set', 'rate_limits', limits, '--project', other);
  const key = /\bsk_live_\w+/.exec(created)?.[0];
  if (!key) throw new Error('The command line did not print the key of the new project.');
  return key;
}

/** Adds the entries: the same number of each kind. */
async function addEntries(environment) {
  const file = join(folder, 'entries.csv');
  const lines = Array.from({ length: entries }, (_, at) => {
    const [kind, valueAt] = kinds[at % kinds.length];
    return `${kind},${valueAt(Math.floor(at / kinds.length))},review,,`;
  });
  writeFileSync(file, `kind,value,effect,note,expires_at\n${lines.join('\n')}\n`);
  await command(environment, 'list', 'import', file, '--project', project);
  await query(environment.DATABASE_URL, 'vacuum (analyze)');
}

async function evaluateAll(base, side, count) {
  const headers = { authorization: `Bearer ${side.key}`, 'content-type': 'application/json' };
  for (let n = 0; n < count; n++) {
    const person = n % people;
    const body = {
      action: 'login',
      user: `user-${person}`,
      email: `person${person}@shop.example`,
      fingerprint: fingerprintOfNew(person),
      ip: `198.18.${person >> 8}.${person & 255}`,
    };
    const from = performance.now();
    const response = await fetch(`${base}/v2/device/evaluate`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    side.times.push(performance.now() - from);
  }
}

function figuresOf(times, processor) {
  const sorted = times.toSorted((one, next) => one - next);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return { evaluations: times.length, p50: at(0.5), p99: at(0.99), processor: processor / times.length };
}

function linesOf(rows) {
  const [none] = rows;
  const lines = rows.map(({ name, evaluations, p50, p99, processor }) => [
    name,
    String(evaluations),
    `${p50.toFixed(2)} ms`,
    `${p99.toFixed(1)} ms`,
    `${processor.toFixed(2)} ms`,
    (p50 / none.p50).toFixed(2),
  ]);
  return [['lists', 'evaluations', 'median', 'p99', "service's processor time", 'ratio of the medians'], ...lines];
}
