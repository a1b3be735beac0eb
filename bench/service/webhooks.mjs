// Measures whether one dead endpoint delays the others: the same number of events to five healthy endpoints, and to
// four healthy ones and a dead one.
//   node service/webhooks.mjs [--events 10000] [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { loadAverage } from '../provenance.mjs';
import { addressOf, fingerprintOfNew } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { writeResult } from './results.mjs';
import { command, makeProject, project, startService } from './service.mjs';
import { startReceiver, summarise } from './webhook-receivers.mjs';

/** @typedef {import('./webhook-receivers.mjs').Receiver} Receiver */

const endpoints = 5;
const concurrency = 16;

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000' }, markdown: { type: 'boolean', default: false } },
});
const count = Number(values.events);
if (!Number.isInteger(count) || count < 1) throw new Error('--events must be a whole number, at least 1.');
assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-webhooks-'));
const cluster = await startCluster();
try {
  await query(cluster.url('postgres'), 'create database webhooks');
  const runs = await measure(cluster.url('webhooks'));
  const path = await writeResult('webhooks', {
    measuredAt: new Date().toISOString(),
    events: count,
    node: process.version,
    database: `PostgreSQL ${cluster.version}`,
    runs,
  });
  console.log(formatTable(toLines(runs), { markdown: values.markdown }));
  console.error(`All results are in ${path}.`);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** @typedef {ReturnType<typeof summarise> & { isDead: boolean }} Received */

/** @param {string} url @returns {Promise<{ healthy: Received[], withDead: Received[] }>} */
async function measure(url) {
  const environment = {
    DATABASE_URL: url,
    WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more',
    ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const key = await makeProject(environment);
  const receivers = await Promise.all(Array.from({ length: endpoints }, startReceiver));
  try {
    for (const { url: target } of receivers) {
      await command(environment, 'webhooks', 'add', '--project', project, '--url', target);
    }
    await createEvents(environment, key, 0);
    const healthy = await deliverAll(environment, receivers);
    await createEvents(environment, key, count);
    receivers.at(-1)?.die();
    return { healthy, withDead: await deliverAll(environment, receivers, 1) };
  } finally {
    for (const receiver of receivers) await receiver.close();
  }
}

/**
 * Creates events: each one is a challenge created by an evaluation over HTTP. No process delivers them yet.
 *
 * @param {import('./service.mjs').Environment} environment
 * @param {string} key
 * @param {number} first The first number of its users and devices.
 */
async function createEvents(environment, key, first) {
  logProgress(`Creating ${count} events`);
  const service = await startService({ ...environment, WORKERS: 'false', LOG_LEVEL: 'info' }, { logFile: logFile() });
  let next = first;
  const make = async () => {
    for (let n = next++; n < first + count; n = next++) {
      const response = await fetch(`${service.url}/v2/device/evaluate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          action: 'login',
          user: `user-${n}`,
          fingerprint: fingerprintOfNew(n),
          ip: addressOf(n),
          email: `user-${n}@example.com`,
        }),
      });
      const { challenge_id } = await response.json();
      if (!challenge_id) throw new Error(`Evaluation ${n} created no challenge: ${response.status}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, make));
  } finally {
    await service.stop();
  }
}

/**
 * Starts a process that delivers, and waits until all live receivers have everything.
 *
 * @param {import('./service.mjs').Environment} environment
 * @param {readonly Receiver[]} receivers
 * @param {number} [dead] Number of dead receivers, at the end of the list.
 * @returns {Promise<Received[]>}
 */
async function deliverAll(environment, receivers, dead = 0) {
  logProgress(`Delivering to ${receivers.length - dead} live and ${dead} dead endpoints`);
  for (const { arrivals } of receivers) arrivals.length = 0;
  const living = receivers.slice(0, receivers.length - dead);
  const service = await startService({ ...environment, LOG_LEVEL: 'info' }, { logFile: logFile() });
  try {
    while (living.some(({ arrivals }) => arrivals.length < count)) await pause(50);
    // Leaves time for duplicates to arrive.
    await pause(2000);
    // Excludes the time that the process takes to start.
    const startedAt = Math.min(...living.map(({ arrivals }) => arrivals[0]?.at ?? Number.POSITIVE_INFINITY));
    return receivers.map(({ arrivals }, index) => ({
      ...summarise(arrivals, startedAt),
      isDead: index >= living.length,
    }));
  } finally {
    await service.stop();
  }
}

/** @param {{ healthy: Received[], withDead: Received[] }} runs */
function toLines({ healthy, withDead }) {
  const heading = ['endpoint', 'events', 'duplicates', 'largest displacement', 'last event after, s'];
  const lineOf = (/** @type {string} */ name) => (/** @type {Received} */ one, /** @type {number} */ index) => [
    `${name}, ${one.isDead ? 'dead endpoint' : index + 1}`,
    formatNumber(one.events),
    formatNumber(one.duplicates),
    formatNumber(one.maxDisplacement),
    one.isDead ? '' : one.lastSeconds.toFixed(1),
  ];
  return [heading, ...healthy.map(lineOf('five healthy')), ...withDead.map(lineOf('one dead'))];
}

function logFile() {
  return join(folder, 'service.log');
}

/** @param {string} text */
function logProgress(text) {
  console.error(`${new Date().toISOString()}, load average ${loadAverage()}: ${text}`);
}
