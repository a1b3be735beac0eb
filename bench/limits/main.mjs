// Measures how exactly three processes on one database keep a rate limit together.
//   node limits/main.mjs [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { startProcesses } from '../faults/processes.mjs';
import { startCluster } from '../service/postgresql.mjs';
import { command, makeProject, project } from '../service/service.mjs';

const { values } = parseArgs({ options: { markdown: { type: 'boolean', default: false } } });
const processCount = 3;
const secret = 'master secret of the benchmarks, 32 bytes or more';
/** Requests per second that the key may make. */
const limit = 60;
/** Time until the processes know of each other's demand, which is counted apart. */
const settlingMs = 3000;
const settledMs = 8000;
const tickMs = 50;
/** Time after which the processes have forgotten the demand of an earlier pattern. */
const forgettingMs = 5000;

/** Requests per second that are sent to each process. */
const patterns = [
  { name: 'below the limit, evenly', rates: [18, 18, 18] },
  { name: 'below the limit, one process', rates: [54, 0, 0] },
  { name: 'three times the limit, evenly', rates: [60, 60, 60] },
  { name: 'three times the limit, one process', rates: [180, 0, 0] },
  { name: 'three times the limit, unevenly', rates: [130, 40, 10] },
];

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-limits-'));
/** @type {(() => Promise<void>)[]} What to stop, the last one first. */
const closers = [() => rm(folder, { recursive: true })];
try {
  const cluster = await startCluster();
  closers.push(cluster.stop);
  const environment = { DATABASE_URL: cluster.url('postgres'), WHORL_SECRET: secret };
  const key = await makeProject(environment);
  const rates = JSON.stringify({ secret_per_second: limit });
  await command(environment, 'settings', 'set', 'rate_limits', rates, '--project', project);
  const processes = await startProcesses(() => environment, { count: processCount, folder });
  closers.push(processes.stop);
  const agent = new Agent({ connections: 128 });
  closers.push(() => agent.close());
  const rows = [];
  for (const { name, rates } of patterns) {
    const send = (/** @type {number} */ index) => isAllowed(agent, processes.urls[index] ?? '', key);
    const first = await sendFor(settlingMs, rates, send);
    const then = await sendFor(settledMs, rates, send);
    rows.push([
      name,
      rates.join(' + '),
      ...[first.sent, first.allowed].map((count) => formatNumber(Math.round((count * 1000) / settlingMs))),
      ...[then.sent, then.allowed].map((count) => formatNumber(Math.round((count * 1000) / settledMs))),
    ]);
    await pause(forgettingMs);
  }
  const headings = [`demand, with a limit of ${limit}`, 'to each process', 'sent, first 3 s', 'allowed, first 3 s'];
  console.log(formatTable([[...headings, 'sent, then', 'allowed, then'], ...rows], { markdown: values.markdown }));
} finally {
  for (const close of closers.reverse()) await close();
}

/**
 * Sends requests at a constant rate, without waiting for their responses.
 *
 * @param {number} durationMs @param {readonly number[]} rates @param {(index: number) => Promise<boolean>} send
 */
async function sendFor(durationMs, rates, send) {
  const begunAt = performance.now();
  /** @type {Promise<boolean>[]} */
  const answers = [];
  const sent = rates.map(() => 0);
  for (let passedMs = 0; passedMs < durationMs; passedMs = performance.now() - begunAt) {
    for (const [index, rate] of rates.entries()) {
      for (let due = (passedMs / 1000) * rate - (sent[index] ?? 0); due >= 1; due--) {
        sent[index] = (sent[index] ?? 0) + 1;
        answers.push(send(index));
      }
    }
    await pause(tickMs);
  }
  const allowed = (await Promise.all(answers)).filter(Boolean).length;
  return { sent: answers.length, allowed };
}

/** @param {Agent} agent @param {string} url @param {string} key */
async function isAllowed(agent, url, key) {
  const answer = await request(`${url}/v2/challenges`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.body.dump();
  if (answer.statusCode !== 200 && answer.statusCode !== 429) throw new Error(`Unexpected status ${answer.statusCode}`);
  return answer.statusCode === 200;
}
