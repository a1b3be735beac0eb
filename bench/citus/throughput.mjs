import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

/**
 * @typedef {object} Turn
 * @property {number} perSecond
 * @property {readonly number[]} times Processor time of a request: of the service, of PostgreSQL or the coordinator, and of
 *   the workers. In milliseconds.
 */

/**
 * Measures requests per second of logins on databases of each kind, with 1, 2 and 4 processes, and the processor time of
 * each part. Everything shares one machine's processors, so only the ratios say something.
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
    for (const kind of await startDatabases(closers)) {
      const environment = { DATABASE_URL: kind.url, WHORL_SECRET: secret, ...receiver.environment };
      await command(environment, ...(kind.workers > 0 ? ['distribute', '--shards', '8'] : ['migrate']));
      const key = await makeProject(environment);
      await command(environment, 'settings', 'set', 'daily_code_limit', '1000000', '--project', project);
      /** @type {Map<number, Turn[]>} By number of processes. */
      const results = new Map(processCounts.map((count) => [count, []]));
      kinds.push({ ...kind, environment, key, results });
    }
    let firstPerson = 1_000_000_000;
    for (let round = 0; round < rounds; round++) {
      for (const count of processCounts) {
        for (const { environment, key, results, pids } of kinds) {
          const processes = await startProcesses(() => environment, { count, folder });
          const first = firstPerson;
          firstPerson += count * 1_000_000;
          const loads = processes.urls.map((url, index) =>
            startLogins({ url, key, receiver, firstPerson: first + index * 1_000_000 }),
          );
          await Promise.all(loads.map((load) => load.completed(warmUpLogins, timeoutMs)));
          const answered = () => loads.reduce((sum, load) => sum + load.counts.answered, 0);
          const used = () => [timeOf(processes.pids()), timeOf(pids.slice(0, 1)), timeOf(pids.slice(1))];
          const [before, usedBefore, begunAt] = [answered(), used(), performance.now()];
          await pause(seconds * 1000);
          const requests = answered() - before;
          const perSecond = requests / ((performance.now() - begunAt) / 1000);
          const times = used().map((time, index) => (time - (usedBefore[index] ?? 0)) / requests);
          results.get(count)?.push({ perSecond, times });
          await Promise.all(loads.map((load) => load.end()));
          await processes.stop();
        }
      }
    }
    const rateOf = (/** @type {Turn[]} */ turns) => median(turns.map(({ perSecond }) => perSecond));
    const base = rateOf(kinds[0]?.results.get(1) ?? []);
    const cell = (/** @type {Turn[]} */ turns) => `${Math.round(rateOf(turns))} (${(rateOf(turns) / base).toFixed(2)})`;
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
    console.log(formatTable([headings, ...rows], { markdown }));
    console.log(
      `\nRequests per second of logins (compared with one process on PostgreSQL), and processor time of a request: medians of ${rounds} turns of ${seconds} s.`,
    );
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** @param {(() => Promise<unknown>)[]} closers */
async function startDatabases(closers) {
  const plain = await startCluster();
  closers.push(plain.stop);
  await query(plain.url('postgres'), 'create database shop');
  const kinds = [{ name: 'PostgreSQL', workers: 0, url: plain.url('shop'), pids: [plain.pid] }];
  for (const workers of [1, 2]) {
    const citus = await startCitus({ workers });
    closers.push(citus.stop);
    kinds.push({
      name: `Citus, ${workers} worker${workers > 1 ? 's' : ''}`,
      workers,
      url: citus.url,
      pids: citus.pids(),
    });
  }
  return kinds;
}

/** Returns the processor time that processes have used, in milliseconds. @param {readonly number[]} pids */
function timeOf(pids) {
  return pids.reduce((sum, pid) => sum + (processorMs(pid) ?? 0), 0);
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
