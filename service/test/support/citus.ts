import { findPostgresql, hasCitus } from '../../../scripts/find-postgresql.mjs';
import { distribute, openDatabase } from '../../src/testing.js';
import { type Cluster, startCluster } from './cluster.js';
import { makeTables } from './make-tables.js';
import { runSql } from './run-sql.js';

/** Fewer parts than in production: each test has databases of its own. */
export const SHARDS = 4;
const WORKERS = 2;
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '400',
  // Each database has a background process on each node.
  max_worker_processes: '100',
  // Some tests let a statement fail with a trigger.
  'citus.enable_unsafe_triggers': 'on',
};

/** A coordinator and two workers. */
export interface Citus extends Cluster {
  /** URLs of the workers' database `postgres`. */
  readonly workers: readonly string[];
  /** Creates a database on all nodes, with the extension, and introduces the nodes to each other. */
  createDatabase(name: string): Promise<void>;
}

/** Returns whether a PostgreSQL with Citus is installed. */
export function isCitusInstalled(): boolean {
  const programs = findPostgresql();
  return programs !== undefined && hasCitus(programs);
}

export async function startCitus(): Promise<Citus> {
  const programs = findPostgresql();
  if (!programs || !hasCitus(programs)) throw new Error('Citus is not installed');
  const coordinator = await startCluster(programs, SETTINGS);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startCluster(programs, SETTINGS)));
  const nodes = [coordinator, ...workers];
  return {
    url: (database) => coordinator.url(database),
    workers: workers.map((worker) => worker.url('postgres')),
    async createDatabase(name) {
      for (const node of nodes) {
        await runSql(node.url('postgres'), `create database ${name}`);
        await runSql(node.url(name), 'create extension citus');
      }
      const [host, ...others] = nodes.map((node) => decodeURIComponent(new URL(node.url(name)).hostname));
      await runSql(coordinator.url(name), `select citus_set_coordinator_host('${host}', 5432)`);
      for (const other of others) await runSql(coordinator.url(name), `select citus_add_node('${other}', 5432)`);
    },
    async kill() {
      await Promise.all(nodes.map((node) => node.kill()));
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Creates a database with all tables and no rows on all nodes, from which others can be created. */
export async function createDistributedTemplate(citus: Citus, name: string): Promise<void> {
  await citus.createDatabase(name);
  const options = { kind: 'postgresql', url: citus.url(name) } as const;
  await makeTables(options);
  const { db, close } = await openDatabase(options);
  await distribute(db, { shards: SHARDS, dryRun: false, report: () => undefined });
  await close();
  for (const node of [citus.url('postgres'), ...citus.workers]) {
    // Citus' background process would be connected to it, and then it could not be copied.
    await runSql(node, `alter database ${name} with allow_connections false`);
    await runSql(node, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`);
  }
}
