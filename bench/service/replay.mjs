// Measures a replay of rules: how long it takes, what it costs other evaluations, and what an evaluation stores for it.
// Measures also how long a search for a rule takes from its start to its end, with labels of which one rule explains all:
// the finder's own benchmark says how well it finds.
// Latencies without and with a replay are measured in turns, over the same time, because the machine's speed varies and
// the service has work of its own once a minute.
//   node service/replay.mjs [--evaluations 1000000] [--rounds 4] [--apart] [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { insertCopies } from './copies.mjs';
import { waitUntilCounted } from './hourly-counts.mjs';
import { fingerprintOfNew, idAt } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { processorMs } from './processor.mjs';
import { writeResult } from './results.mjs';
import { searchRule, startReplay, startReplays } from './rule-jobs.mjs';
import { makeProject, selectWorld, startService } from './service.mjs';

const { values } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '4' },
    // Replays run in a process of their own, which takes no requests.
    apart: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const evaluations = Number(values.evaluations);
/** Rounds of latencies without and with a replay. */
const rounds = Number(values.rounds);
/** Evaluations over HTTP, of which the others are copies. */
const seeds = 500;
/** Requests per second while latencies are measured. */
const perSecond = 40;
const roundSeconds = 60;
/** Shares of fraud, and of honest evaluations, with a label. */
const labelled = { fraud: 0.1, legitimate: 0.07 };

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-replay-'));
const cluster = await startCluster();
try {
  await query(cluster.url('postgres'), 'create database replay');
  const url = cluster.url('replay');
  const environment = { DATABASE_URL: url, WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more' };
  const key = await makeProject(environment);
  const service = await startService(
    { ...environment, WORKERS: String(!values.apart) },
    { logFile: join(folder, 'log') },
  );
  const worker = values.apart ? await startService(environment, { logFile: join(folder, 'worker.log') }) : service;
  try {
    const result = await measure(url, service.url, key, worker.pid);
    const path = await writeResult('replay', {
      measuredAt: new Date().toISOString(),
      evaluations,
      isApart: values.apart,
      node: process.version,
      database: `PostgreSQL ${cluster.version}`,
      ...result,
    });
    console.log(formatTable(linesOf(result), { markdown: values.markdown }));
    console.error(`All results are in ${path}.`);
  } finally {
    await service.stop();
    if (values.apart) await worker.stop();
  }
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** @param {string} url Of the database. @param {string} base Of the service. @param {string} key */
async function measure(url, base, key, pid) {
  const evaluate = evaluator(base, key);
  const fraud = [];
  for (let n = 0; n < seeds; n++) {
    const { evaluation_id: id } = await evaluate(n);
    if (isFraud(n)) fraud.push(id);
  }
  const [size] = await query(
    url,
    `select percentile_cont(0.5) within group (order by pg_column_size(rule_basis)) as bytes from evaluations`,
  );
  logProgress(`Copying ${seeds} evaluations to ${evaluations}`);
  const [{ id: worldId }] = await query(url, selectWorld);
  await copyEvaluations(url, worldId, fraud);
  logProgress('Waiting for the hourly counts');
  await waitUntilCounted(url);
  logProgress('Replaying alone');
  const alone = await replayAlone(url, worldId, pid);
  logProgress('Searching a rule');
  const search = await searchRule(url, worldId);
  const without = [];
  const during = [];
  let replayed = 0;
  for (let round = 1; round <= rounds; round++) {
    logProgress(`Measuring evaluations, round ${round} of ${rounds}`);
    without.push(...(await latencies(evaluate)));
    const replaying = startReplays(url, worldId);
    during.push(...(await latencies(evaluate)));
    replayed += await replaying.stop();
  }
  const perSecondDuring = replayed / (rounds * roundSeconds);
  return { bytes: size.bytes, alone, search, without: quantiles(without), during: quantiles(during), perSecondDuring };
}

/** Replays without other requests. Returns its time, and the processor time of the service. */
async function replayAlone(url, worldId, pid) {
  const before = processorMs(pid) ?? 0;
  const replay = await startReplay(url, worldId);
  const seconds = await replay.seconds();
  const { report } = await replay.find();
  if (report.replayed < evaluations) throw new Error(`Only ${report.replayed} evaluations were replayed.`);
  return { replayed: report.replayed, seconds, processorSeconds: ((processorMs(pid) ?? 0) - before) / 1000 };
}

/** Returns a function that evaluates as person n. */
function evaluator(base, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (/** @type {number} */ n) => {
    const person = n % (seeds / 5);
    const body = {
      action: n % 5 === 0 ? 'payout' : 'login',
      user: `user-${person}`,
      email: `person${person}@example.com`,
      fingerprint: fingerprintOfNew(person),
      ip: `198.18.${person >> 8}.${person & 255}`,
      metadata: { amount: amountOf(n), currency: 'EUR' },
    };
    const response = await fetch(`${base}/v2/device/evaluate`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.json();
  };
}

function amountOf(/** @type {number} */ n) {
  return (n * 37) % 600;
}

/** Whether evaluation n is fraud. The rule `metadata.amount > 580` says the same. */
function isFraud(/** @type {number} */ n) {
  return amountOf(n) > 580;
}

/** Adds copies of the evaluations, spread over 30 days, each of another user. Some have a label. */
async function copyEvaluations(url, worldId, /** @type {string[]} */ fraud) {
  const insert = await insertCopies(url, 'e', {
    id: idAt('at', 'gen_random_uuid()'),
    created_at: 'at',
    external_user: "e.external_user || '-' || copy",
    feedback_label: `case when e.id = any('{${fraud}}') then case when chance < ${labelled.fraud} then 'fraud' end
      when chance < ${labelled.legitimate} then 'legitimate' end`,
  });
  await query(
    url,
    `${insert}
      from evaluations e cross join generate_series(1, ${Math.ceil(evaluations / seeds)}) copy
        cross join lateral (select now() - interval '29 days' * random() + 0 * (e.confidence * interval '1 s') as at,
          random() + 0 * e.confidence as chance) moment
      where e.world_id = '${worldId}'`,
  );
  await query(url, 'vacuum (analyze)');
  // Otherwise the checkpoint of the copies delays commits while latencies are measured.
  await query(url, 'checkpoint');
}

/** Evaluates at a fixed rate for a round. Returns the times. */
async function latencies(evaluate) {
  const times = [];
  const started = performance.now();
  const sent = [];
  for (let n = 0; n < roundSeconds * perSecond; n++) {
    const due = started + (n * 1000) / perSecond;
    await pause(Math.max(0, due - performance.now()));
    const from = performance.now();
    // Measured from the time when it was due, so that a slow answer delays no other.
    sent.push(evaluate(n).then(() => times.push(performance.now() - Math.min(from, due))));
  }
  await Promise.all(sent);
  return times;
}

function quantiles(/** @type {number[]} */ times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (/** @type {number} */ share) => sorted[Math.floor(share * (sorted.length - 1))];
  return { requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function logProgress(/** @type {string} */ sentence) {
  console.error(`${process.uptime().toFixed(0)} s: ${sentence}`);
}

function linesOf({ bytes, alone, search, without, during, perSecondDuring }) {
  const ms = ({ p50, p95, p99 }) => [p50, p95, p99].map((time) => `${formatNumber(time)} ms`).join(', ');
  return [
    ['', ''],
    ['what an evaluation stores for replays, median', `${bytes} bytes`],
    [`a replay of ${alone.replayed} evaluations`, `${formatNumber(alone.seconds)} s`],
    ['processor time of the process that replays', `${formatNumber(alone.processorSeconds)} s`],
    [
      `a search that reads ${search.read} labelled evaluations, and counts its rule in ${search.counted}`,
      `${formatNumber(search.seconds)} s`,
    ],
    [`evaluations without a replay, ${perSecond} per second: median, p95, p99`, ms(without)],
    ['evaluations during a replay', ms(during)],
    ['evaluations that this replay reads per second', formatNumber(perSecondDuring)],
  ];
}
