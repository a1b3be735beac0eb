import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../cost/stats.mjs';
import { formatTable } from '../cost/table.mjs';
import { startProcesses } from '../faults/processes.mjs';
import { startCodeReceiver, startLogins } from '../rolling/logins.mjs';
import { query, startCluster } from '../service/postgresql.mjs';
import { processorMs } from '../service/processor.mjs';
import { command, makeProject, project } from '../service/service.mjs';
import { startCitus } from './cluster.mjs';

const secret = 'master secret of the benchmarks, 32 bytes or more';
const processCounts = [1, 2, 4];
/** Each is measured this often, in turns, and the median counts. */
const rounds = 3;
const warmUpLogins = 5;
const timeoutMs = 600_000;
const peoplePerProcess = 1_000_000;
const median = (/** @type {readonly number[]} */ values) => quantile(values, 0.5);

/**
 * @typedef {object} Turn
 * @property {number} perSecond
 * @property {readonly number[]} times Processor time of a request: of the service, of PostgreSQL or the coordinator, and of
 *   the workers. In milliseconds.
 */

/**
 * Measures requests per second of logins on databases of each kind, with 1, 2 and 4 processes, and the processor time of
 * each part. Two databases are two installations, and share the processes. Everything shares one machine's processors, so
 * only the ratios say something.
 *
 * @param {{ seconds: number, markdown: boolean }} options
 */
export async function measureThroughput({ seconds, markdown }) {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-throughput-'));
  /** @type {(() => Promise<unknown>)[]} What to stop, the last one first. */
  const closers = [() => rm(folder, { recursive: true })];
  try {
    const receiver = await startCodeReceiver();
    closers.push(receiver.close);
    const kinds = [];
    for (const kind of await startDatabases(closers)) kinds.push(await prepare(kind, receiver));
    let firstPerson = 1_000_000_000;
    for (let round = 0; round < rounds; round++) {
      for (const count of processCounts) {
        for (const kind of kinds.filter(({ installations }) => installations.length <= count)) {
          kind.results.get(count)?.push(await takeTurn(kind, { count, firstPerson, receiver, folder, seconds }));
          firstPerson += count * peoplePerProcess;
        }
      }
    }
    console.log(formatTable(linesOf(kinds), { markdown }));
    console.log(
      `\nRequests per second of logins (compared with one process on PostgreSQL), and processor time of a request: medians of ${rounds} turns of ${seconds} s.`,
    );
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} Kind Databases of a kind, each with a project, and their turns. */

/**
 * @param {Awaited<ReturnType<typeof startDatabases>>[number]} kind
 * @param {import('../rolling/logins.mjs').CodeReceiver} receiver
 */
async function prepare(kind, receiver) {
  const installations = [];
  for (const url of kind.urls) {
    const environment = { DATABASE_URL: url, WHORL_SECRET: secret, ...receiver.environment };
    await command(environment, ...(kind.workers > 0 ? ['distribute', '--shards', '8'] : ['migrate']));
    const key = await makeProject(environment);
    await command(environment, 'settings', 'set', 'daily_code_limit', '1000000', '--project', project);
    installations.push({ environment, key });
  }
  /** @type {Map<number, Turn[]>} By number of processes. */
  const results = new Map(processCounts.map((count) => [count, []]));
  return { ...kind, installations, results };
}

/**
 * Measures databases of a kind with a number of processes for some seconds.
 *
 * @param {Kind} kind
 * @param {{ count: number, firstPerson: number, receiver: import('../rolling/logins.mjs').CodeReceiver, folder: string,
 *   seconds: number }} options
 * @returns {Promise<Turn>}
 */
async function takeTurn({ installations, pids, workers }, { count, firstPerson, receiver, folder, seconds }) {
  const installationOf = (/** @type {number} */ index) => {
    const found = installations[index % installations.length];
    if (!found) throw new Error('There is no database.');
    return found;
  };
  const processes = await startProcesses((index) => installationOf(index).environment, { count, folder });
  const loads = processes.urls.map((url, index) => {
    const { key } = installationOf(index);
    return startLogins({ url, key, receiver, firstPerson: firstPerson + index * peoplePerProcess });
  });
  await Promise.all(loads.map((load) => load.completed(warmUpLogins, timeoutMs)));
  const answered = () => loads.reduce((sum, load) => sum + load.counts.answered, 0);
  // The processes of workers stand after the coordinator's.
  const used = () =>
    [processes.pids(), pids.slice(0, pids.length - workers), pids.slice(pids.length - workers)].map(timeOf);
  const [before, usedBefore, begunAt] = [answered(), used(), performance.now()];
  await pause(seconds * 1000);
  const requests = answered() - before;
  const perSecond = requests / ((performance.now() - begunAt) / 1000);
  const times = used().map((time, index) => (time - (usedBefore[index] ?? 0)) / requests);
  await Promise.all(loads.map((load) => load.end()));
  await processes.stop();
  return { perSecond, times };
}

/** @param {readonly Kind[]} kinds */
function linesOf(kinds) {
  const rateOf = (/** @type {readonly Turn[]} */ turns) => median(turns.map(({ perSecond }) => perSecond));
  const base = rateOf(kinds[0]?.results.get(1) ?? []);
  const cell = (/** @type {readonly Turn[]} */ turns) =>
    turns.length > 0 ? `${Math.round(rateOf(turns))} (${(rateOf(turns) / base).toFixed(2)})` : '';
  const rows = kinds.map(({ name, results }) => {
    const turns = [...results.values()].flat();
    const parts = [0, 1, 2].map((part) => median(turns.map(({ times }) => times[part] ?? 0)).toFixed(2));
    return [name, ...processCounts.map((count) => cell(results.get(count) ?? [])), ...parts];
  });
  const headings = [
    'database',
    ...processCounts.map((count) => `${count} process${count > 1 ? 'es' : ''}`),
    ...['service, ms', 'PostgreSQL or coordinator, ms', 'workers, ms'],
  ];
  return [headings, ...rows];
}

/** @param {(() => Promise<unknown>)[]} closers */
async function startDatabases(closers) {
  const kinds = [];
  for (const count of [1, 2]) {
    const clusters = [];
    for (let at = 0; at < count; at++) {
      const cluster = await startCluster();
      closers.push(cluster.stop);
      await query(cluster.url('postgres'), 'create database shop');
      clusters.push(cluster);
    }
    kinds.push({
      name: count === 1 ? 'PostgreSQL' : 'two PostgreSQL servers, an installation on each',
      workers: 0,
      urls: clusters.map(({ url }) => url('shop')),
      pids: clusters.map(({ pid }) => pid),
    });
  }
  for (const workers of [1, 2]) {
    const citus = await startCitus({ workers });
    closers.push(citus.stop);
    kinds.push({
      name: `Citus, ${workers} worker${workers > 1 ? 's' : ''}`,
      workers,
      urls: [citus.url],
      pids: citus.pids(),
    });
  }
  return kinds;
}

/** Returns the processor time that processes have used, in milliseconds. @param {readonly number[]} pids */
function timeOf(pids) {
  return pids.reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0);
}
