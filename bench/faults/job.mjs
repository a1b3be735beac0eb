import { setTimeout as pause } from 'node:timers/promises';
import { query, withClient } from '../service/postgresql.mjs';
import { onPostgresql } from './stage.mjs';

const maxWaitMs = 300_000;
/** Time limit for the start of the job, which usually takes seconds. */
const startTimeoutMs = 120_000;

/**
 * A job that detaches an idle device waits for the device's row, which is locked here. The process that runs it is
 * killed. The queue releases a job after 15 minutes, which are skipped in the database.
 *
 * @param {string} name @param {import('../service/postgresql.mjs').StoppableCluster} cluster
 */
export function killInJob(name, cluster) {
  return onPostgresql({ name, cluster }, async ({ processes, load, database }) => {
    const device = await makeIdleDevice(database);
    const index = await withClient(database, async (client) => {
      await client.query('begin');
      await client.query('select 1 from devices where id = $1 for update', [device]);
      const { rows } = await client.query('select pg_backend_pid() as pid');
      await addJob(database);
      const found = await waitUntilBlocked(database, rows[0].pid);
      await processes.kill(found);
      await client.query('rollback');
      return found;
    });
    const endedAt = performance.now();
    const survivors = processes.urls.filter((_, at) => at !== index);
    await processes.restart(index);
    await query(database, `update jobs set next_at = now() where lease is not null`);
    return { endedAt, survivors, finish: () => waitUntilDetached(database, device, endedAt, load) };
  });
}

/** @param {string} database @returns {Promise<string>} The ID of a device that nobody uses during the run. */
async function makeIdleDevice(database) {
  const [row] = await query(
    database,
    `update devices set last_seen_at = now() - interval '40 days' where (world_id, id) = (
       select d.world_id, d.id from devices d join challenges c on c.world_id = d.world_id and c.device_id = d.id
       where d.status = 'attached' and c.completed_at < now() - interval '500 ms' limit 1) returning id`,
  );
  if (!row) throw new Error('No device exists yet.');
  return String(row.id);
}

/** @param {string} database */
function addJob(database) {
  return query(database, `update jobs set next_at = now() where name = 'detach_idle_devices'`);
}

/** @param {string} database @param {number} pid @returns {Promise<number>} The process that waits for a lock. */
async function waitUntilBlocked(database, pid) {
  for (const end = performance.now() + startTimeoutMs; performance.now() < end; await pause(50)) {
    const [row] = await query(
      database,
      'select application_name as name from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
      [pid],
    );
    const index = /^whorl-(\d+)$/.exec(String(row?.name))?.[1];
    if (index !== undefined) return Number(index);
  }
  throw new Error('No process started the job.');
}

/** @param {string} database @param {string} device @param {number} since @param {import('./load.mjs').Load} load */
async function waitUntilDetached(database, device, since, { ledger }) {
  const isDetached = async () => {
    const [row] = await query(database, 'select status from devices where id = $1', [device]);
    return row?.status === 'detached';
  };
  while (!(await isDetached()) && performance.now() - since < maxWaitMs) await pause(500);
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  const isDone = await isDetached();
  if (!isDone) ledger.broken.push('No process completed the job');
  const events = await query(
    database,
    `select id from events where type = 'device.detached' and data->'device'->>'_id' = $1`,
    [device],
  );
  if (events.length !== 1) ledger.broken.push(`The event of the job was sent ${formatCount(events.length)}`);
  const done = isDone
    ? `Another process ran the job ${seconds} s after`
    : `No process ran the job for ${seconds} s after`;
  return `${done} the queue released it. Its event was sent ${formatCount(events.length)}.`;
}

/** @param {number} count */
function formatCount(count) {
  return count === 1 ? 'once' : `${count} times`;
}
