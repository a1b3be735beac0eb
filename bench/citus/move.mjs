import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { startProcesses } from '../faults/processes.mjs';
import { longestGapMs, startCodeReceiver, startLogins } from '../rolling/logins.mjs';
import { query, withClient } from '../service/postgresql.mjs';
import { command, makeProject, project, selectWorld } from '../service/service.mjs';
import { startCitus } from './cluster.mjs';

const processCount = 3;
const secret = 'master secret of the benchmarks, 32 bytes or more';
/** Complete logins before and after each move. */
const logins = 20;
const timeoutMs = 600_000;

/**
 * Moves projects between workers while people log in, and compares what was answered with what is stored. Returns whether
 * nothing failed, and nothing was lost or doubled.
 *
 * @param {{ markdown: boolean }} options
 */
export async function measureMoves({ markdown }) {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-moves-'));
  /** @type {(() => Promise<unknown>)[]} What to stop, the last one first. */
  const closers = [() => rm(folder, { recursive: true })];
  try {
    const citus = await startCitus({ workers: 2 });
    closers.push(citus.stop);
    const receiver = await startCodeReceiver();
    closers.push(receiver.close);
    const environment = { DATABASE_URL: citus.url, WHORL_SECRET: secret, ...receiver.environment };
    await command(environment, 'distribute', '--shards', '8');
    const key = await makeProject(environment);
    await command(environment, 'settings', 'set', 'daily_code_limit', '1000000', '--project', project);
    const processes = await startProcesses(() => environment, { count: processCount, folder });
    closers.push(processes.stop);
    const world = String((await query(citus.url, selectWorld))[0]?.id);
    /** @type {string[][]} */
    const rows = [];
    let isPassed = true;
    for (const [index, [name, act]] of Object.entries(movesOf(citus, world)).entries()) {
      const loads = processes.urls.map((url, at) =>
        startLogins({ url, key, receiver, firstPerson: 1_000_000_000 + (index * processCount + at) * 1_000_000 }),
      );
      const result = await measureMove(act, loads, () => stored(citus.url, world));
      for (const { failures } of loads) {
        for (const [kind, times] of Object.entries(failures)) console.log(`${name}: ${times} × ${kind}`);
      }
      isPassed &&= result.failed + result.lost + result.doubled === 0;
      rows.push([name, ...cellsOf(result)]);
    }
    console.log(formatTable([headings, ...rows], { markdown }));
    console.log(`\n${await citus.version()}`);
    return isPassed;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

const headings = ['move', 'requests', 'answered', 'failed', 'lost', 'doubled', 'time', 'longest pause of a process'];

/**
 * Moves something while people log in, and compares what was answered with what is stored.
 *
 * @param {() => Promise<void>} act
 * @param {readonly import('../rolling/logins.mjs').Logins[]} loads
 * @param {() => ReturnType<typeof stored>} read
 */
async function measureMove(act, loads, read) {
  const sum = (/** @type {(load: import('../rolling/logins.mjs').Logins) => number} */ of) =>
    loads.reduce((total, load) => total + of(load), 0);
  const before = await read();
  await Promise.all(loads.map((load) => load.completed(logins, timeoutMs)));
  const begunAt = performance.now();
  await act();
  const seconds = (performance.now() - begunAt) / 1000;
  await Promise.all(loads.map((load) => load.completed(logins, timeoutMs)));
  await Promise.all(loads.map((load) => load.end()));
  const after = await read();
  const failed = sum((load) => load.failed());
  const evaluations = after.evaluations - before.evaluations - sum(({ counts }) => counts.evaluations);
  const completions = after.completions - before.completions - sum(({ counts }) => counts.completions);
  return {
    sent: sum(({ counts }) => counts.sent),
    answered: sum(({ counts }) => counts.answered),
    failed,
    lost: Math.max(0, -evaluations) + Math.max(0, -completions),
    // A request that failed may have been stored.
    doubled: Math.max(0, evaluations - failed) + Math.max(0, completions - failed),
    seconds,
    longestPauseMs: Math.max(...loads.map(({ answeredAt }) => longestGapMs(answeredAt))),
  };
}

/** @param {Awaited<ReturnType<typeof measureMove>>} result */
function cellsOf({ sent, answered, failed, lost, doubled, seconds, longestPauseMs }) {
  const counts = [sent, answered, failed, lost, doubled].map(formatNumber);
  return [...counts, `${seconds.toFixed(1)} s`, `${(longestPauseMs / 1000).toFixed(2)} s`];
}

/**
 * Returns what moves, in order.
 *
 * @param {import('./cluster.mjs').Citus} citus
 * @param {string} world
 * @returns {Readonly<Record<string, () => Promise<void>>>}
 */
function movesOf(citus, world) {
  return {
    'a third worker gets its share': async () => {
      await citus.addWorker();
      await query(citus.url, 'select citus_rebalance_start()');
      await query(citus.url, 'select citus_rebalance_wait()');
    },
    'one project to a node of its own': async () => {
      const host = await citus.addWorker();
      await moveToOwnNode(citus.url, world, host);
    },
  };
}

/**
 * Splits the part of a world off, and moves it. Writes wait for the split: without that, Citus 13.2 fails at the first
 * update meanwhile ("publisher did not send replica identity column").
 *
 * @param {string} url @param {string} world @param {string} host
 */
function moveToOwnNode(url, world, host) {
  return withClient(url, async (client) => {
    await client.query(
      "select isolate_tenant_to_new_shard('users', $1::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')",
      [world],
    );
    await client.query(
      `select citus_move_shard_placement(s.shardid, n.nodename, n.nodeport, $2, 5432)
       from (select get_shard_id_for_distribution_column('users', $1::uuid) as shardid) s
         join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)`,
      [world, host],
    );
  });
}

/** Returns what is stored of a world. @param {string} url @param {string} world */
async function stored(url, world) {
  const [row] = await query(
    url,
    `select (select count(*)::int from evaluations where world_id = $1) as evaluations,
      (select count(*)::int from challenges where world_id = $1 and status = 'completed') as completions`,
    [world],
  );
  return { evaluations: Number(row?.evaluations), completions: Number(row?.completions) };
}
