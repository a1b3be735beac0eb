import pg from 'pg';
import { distribute, openDatabase } from '../../src/testing.js';
import { type Cluster, startCluster } from './cluster.js';
import { makeTables } from './make-tables.js';

/** Fewer parts than in production: each test has databases of its own. */
const SHARDS = 4;
const WORKERS = 2;
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '400',
  // Each database has a background process on each node.
  max_worker_processes: '100',
};

/** A coordinator and two workers. */
export interface Citus extends Cluster {
  /** URLs of the workers' database `postgres`. */
  readonly workers: readonly string[];
}

export async function startCitus(programs: string): Promise<Citus> {
  const coordinator = await startCluster(programs, SETTINGS);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startCluster(programs, SETTINGS)));
  const nodes = [coordinator, ...workers];
  const all = (act: (node: Cluster) => Promise<void>) => async () => {
    await Promise.all(nodes.map(act));
  };
  return {
    url: (database) => coordinator.url(database),
    workers: workers.map((node) => node.url('postgres')),
    kill: all((node) => node.kill()),
    stop: all((node) => node.stop()),
  };
}

/** Creates a database with all tables and no rows on all nodes, from which others can be created. */
export async function createDistributedTemplate(citus: Citus, name: string): Promise<void> {
  const admins = [citus.url('postgres'), ...citus.workers];
  for (const admin of admins) {
    await execute(admin, `create database ${name}`);
    await execute(databaseAt(admin, name), 'create extension citus');
  }
  const url = citus.url(name);
  const [coordinator, ...workers] = admins.map((admin) => decodeURIComponent(new URL(admin).hostname));
  await execute(url, `select citus_set_coordinator_host('${coordinator}', 5432)`);
  for (const worker of workers) await execute(url, `select citus_add_node('${worker}', 5432)`);
  await makeTables({ kind: 'postgresql', url });
  const { db, close } = await openDatabase({ kind: 'postgresql', url });
  await distribute(db, { shards: SHARDS, dryRun: false, report: () => undefined });
  await close();
  for (const admin of admins) {
    // Citus' background process would be connected to it, and then it could not be copied.
    await execute(admin, `alter database ${name} with allow_connections false`);
    await execute(admin, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`);
  }
}

function databaseAt(admin: string, name: string): string {
  return Object.assign(new URL(admin), { pathname: `/${name}` }).href;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
