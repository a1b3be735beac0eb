import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresql, hasCitus } from '../../scripts/find-postgresql.mjs';
import { makeCluster, query } from '../service/postgresql.mjs';

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '400',
  // docs/scaling.md, "Move projects".
  wal_sender_timeout: '4s',
};

/** Name of the database on all nodes. */
export const database = 'shop';

/** @typedef {Awaited<ReturnType<typeof startCitus>>} Citus */

/** Starts a coordinator and workers, which sync to disk at each commit. @param {{ workers: number }} options */
export async function startCitus({ workers }) {
  const programs = findPostgresql();
  if (!programs || !hasCitus(programs)) throw new Error('No PostgreSQL with Citus found (docs/scaling.md).');
  /** @type {{ pid: number, url: string, host: string, stop: () => Promise<void> }[]} */
  const nodes = [];
  const start = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'whorl-citus-'));
    const cluster = makeCluster(folder, {
      // Rebalancing connects to its own server by this name.
      settings: { ...settings, 'citus.local_hostname': folder },
      isTemporary: true,
    });
    const pid = await cluster.start();
    await query(cluster.url('postgres'), `create database ${database}`);
    await query(cluster.url(database), 'create extension citus');
    const node = { pid, url: cluster.url(database), host: folder, stop: () => cluster.stop('fast') };
    nodes.push(node);
    return node;
  };
  const coordinator = await start();
  await query(coordinator.url, 'select citus_set_coordinator_host($1, 5432)', [coordinator.host]);
  const addWorker = async () => {
    const { host } = await start();
    await query(coordinator.url, 'select citus_add_node($1, 5432)', [host]);
    return host;
  };
  for (let worker = 0; worker < workers; worker++) await addWorker();
  return {
    url: coordinator.url,
    /** IDs of the main processes, the coordinator's first. */
    pids: () => nodes.map(({ pid }) => pid),
    /** Starts another worker, and returns its host. It gets no rows by itself. */
    addWorker,
    version: async () => String((await query(coordinator.url, 'select citus_version() as version'))[0]?.version),
    async stop() {
      for (const node of nodes.reverse()) await node.stop();
    },
  };
}
