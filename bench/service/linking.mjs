// Measures how long it takes to link an unknown fingerprint, with 10,000 and with 1,000,000 identities in PostgreSQL.
//   node service/linking.mjs [--identities 1000000] [--requests 300]
import { mkdtempSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { quantile } from '../cost/stats.mjs';
import { provenanceLine } from '../provenance.mjs';
import { addCrowd, crowdSize, fingerprintOfCrowd } from './linking-crowd.mjs';
import { collectPlans, distinct, sequentialScans } from './plans.mjs';
import { addressOf, fingerprintOf, fingerprintOfNew, fingerprintOfUpdated, userOf } from './population.mjs';
import { startCluster, withClient } from './postgresql.mjs';
import { startService } from './service.mjs';
import { makeWorld } from './world.mjs';

/** @typedef {import('./world.mjs').World & { url: string }} World */
/** @typedef {{ name: string, path: string, matchedBy: string, body: (n: number) => object }} Case */
/** @typedef {{ world: string, name: string, whole: number[], database: number[] }} Measured */

const { values } = parseArgs({
  options: { identities: { type: 'string', default: '1000000' }, requests: { type: 'string', default: '300' } },
});
const [identities, requests] = [Number(values.identities), Number(values.requests)];
const smallest = 10_000;
// Short rounds, because the machine's speed varies from minute to minute.
const rounds = 15;
const warmUp = 100;
const targets = { ms: 10, ratio: 1.3 };
const [recognise, evaluate] = ['/v2/device/fingerprint', '/v2/device/evaluate'];

/** Unique to this process, so that no fingerprint occurs twice. */
let newest = Date.now() % 1_000_000_000;
const login = (/** @type {number} */ n, /** @type {object} */ more) => ({
  action: 'login',
  user: userOf(n),
  ip: addressOf(n),
  ...more,
});

/** @type {Case[]} */
const cases = [
  {
    name: 'recognise: unseen, by its facets',
    path: recognise,
    matchedBy: 'facets',
    body: (n) => ({ fingerprint: fingerprintOfUpdated(n, newest++) }),
  },
  {
    name: 'recognise: unseen, one of many look-alikes',
    path: recognise,
    matchedBy: 'new',
    body: () => ({ fingerprint: fingerprintOfCrowd(crowdSize + newest++) }),
  },
  {
    name: 'recognise: unseen, of an unknown device',
    path: recognise,
    matchedBy: 'new',
    body: () => ({ fingerprint: fingerprintOfNew(newest++) }),
  },
  {
    name: 'recognise: unseen, by its saved fingerprint',
    path: recognise,
    matchedBy: 'last',
    body: (n) => ({ fingerprint: fingerprintOfUpdated(n, newest++), last_fingerprint: fingerprintOf(n) }),
  },
  {
    name: 'recognise: seen before',
    path: recognise,
    matchedBy: 'exact',
    body: (n) => ({ fingerprint: fingerprintOf(n) }),
  },
  {
    // For comparison: linking is part of this, in addition to verdict, user, device and challenge.
    name: 'a whole evaluation, by its saved fingerprint',
    path: evaluate,
    matchedBy: 'last',
    body: (n) => login(n, { fingerprint: fingerprintOfUpdated(n, newest++), last_fingerprint: fingerprintOf(n) }),
  },
];

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-linking-'));
const cluster = await startCluster();
try {
  const worlds = [];
  for (const devices of [smallest, identities]) {
    console.error(`PostgreSQL ${cluster.version}: filling ${devices} identities and ${crowdSize} look-alikes`);
    const world = await makeWorld(cluster, `linking_${devices}`, { devices, accesses: 0, isBare: true });
    await withClient(world.url, (client) => addCrowd(client, world.worldId));
    worlds.push(world);
  }
  const measured = await measure(worlds);
  report(measured);
  const [, large] = worlds;
  if (large) await explain(large);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** Sends one request at a time, with alternating worlds, so that other activity on the machine affects all equally. */
async function measure(/** @type {World[]} */ worlds) {
  const services = [];
  try {
    for (const world of worlds) {
      const url = new URL(world.url);
      // PostgreSQL's own timing of each statement.
      url.searchParams.set('options', '-c log_min_duration_statement=0');
      const plain = await start(world.url, world, 'plain');
      const logged = await start(url.href, world, 'logged');
      services.push({ world, plain, logged });
    }
    /** @type {Measured[]} */
    const all = services.flatMap(({ world }) =>
      cases.map(({ name }) => ({ world: String(world.size.devices), name, whole: [], database: [] })),
    );
    for (const { world, plain, logged } of services) {
      for (const one of cases) await send(one, plain.url, world, warmUp);
      for (const one of cases) await send(one, logged.url, world, 20);
    }
    for (let round = 0; round < rounds; round++) {
      for (const { world, plain, logged } of round % 2 ? services.toReversed() : services) {
        for (const one of cases) {
          const row = all.find(({ world: size, name }) => size === String(world.size.devices) && name === one.name);
          row?.whole.push(...(await send(one, plain.url, world, Math.ceil(requests / rounds))));
          const { size: from } = await stat(cluster.logFile);
          await send(one, logged.url, world, Math.ceil(requests / rounds));
          row?.database.push(...durations((await readFile(cluster.logFile)).subarray(from).toString('utf8')));
        }
      }
    }
    return all;
  } finally {
    for (const { plain, logged } of services) await Promise.all([plain.stop(), logged.stop()]);
  }
}

function start(/** @type {string} */ url, /** @type {World} */ world, /** @type {string} */ name) {
  const environment = { ...world.environment, DATABASE_URL: url, WORKERS: 'false' };
  return startService(environment, { logFile: join(folder, `${name}-${world.size.devices}.log`) });
}

/** @param {Case} one @param {string} url @param {World} world @param {number} count @returns {Promise<number[]>} */
async function send({ name, path, matchedBy, body }, url, { key, size }, count) {
  const times = [];
  for (let sent = 0; sent < count; sent++) {
    const text = JSON.stringify(body((newest * 7919) % size.devices));
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const from = performance.now();
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: text });
    const content = await answer.json();
    times.push(performance.now() - from);
    newest++;
    if (content.matched_by !== matchedBy) throw new Error(`${name}: ${answer.status} ${JSON.stringify(content)}`);
  }
  return times;
}

/** Returns the total time of the statements of each transaction, in ms. */
function durations(/** @type {string} */ log) {
  const sums = [];
  let sum = 0;
  for (const [, ms = '', text = ''] of log.matchAll(/duration: ([\d.]+) ms {2}(.*)/g)) {
    sum += Number(ms);
    if (!/: commit/i.test(text)) continue;
    sums.push(sum);
    sum = 0;
  }
  return sums;
}

function report(/** @type {Measured[]} */ measured) {
  const median = (/** @type {number[]} */ times) => quantile(times, 0.5);
  const [small, large] = [smallest, identities].map(String);
  const of = (/** @type {string} */ name, world = small) =>
    measured.find((row) => row.name === name && row.world === world) ?? { whole: [], database: [] };
  console.log(
    `| median of ${requests}, ms | whole, ${small} | whole, ${large} | ratio | database, ${small} | database, ${large} | ratio |`,
  );
  console.log('|---|---|---|---|---|---|---|');
  let isMet = true;
  for (const { name } of cases) {
    const [a, b] = [of(name), of(name, large)];
    const [whole, ratio] = [median(b.whole), median(b.whole) / median(a.whole)];
    if (name.startsWith('recognise: unseen')) isMet &&= whole <= targets.ms && ratio <= targets.ratio;
    const cells = [
      median(a.whole),
      whole,
      ratio,
      median(a.database),
      median(b.database),
      median(b.database) / median(a.database),
    ];
    console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
  console.log(`\n${provenanceLine()}`);
  console.log(
    `\nUnseen fingerprints: at most ${targets.ms} ms, and ${targets.ratio} times the time: ${isMet ? 'met' : 'NOT MET'}.`,
  );
  if (!isMet) process.exitCode = 1;
}

async function explain(/** @type {World} */ world) {
  const plans = await collectPlans(cluster, world, { logFile: join(folder, 'explained.log') });
  // Only those of linking: explain.mjs covers the others.
  const all = [...plans.values()]
    .flat()
    .filter(({ statement }) => /\b(from|join|into) (variants|identities)\b/.test(statement));
  for (const { statement, text } of distinct(all)) console.log(`\n${statement}\n${text}`);
  const scanned = sequentialScans(all);
  console.log(`\nGrowing tables with sequential scans: ${scanned.join(', ') || 'none'}.`);
  if (scanned.length > 0) process.exitCode = 1;
}
