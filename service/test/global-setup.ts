import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { prepareQueue } from '../src/delivery/queue/index.js';
import { type DatabaseOptions, openDatabase } from '../src/store/database.js';
import { migrate } from '../src/store/migrate.js';
import { cached } from './support/cache.js';
import { type Cluster, startCluster } from './support/cluster.js';
import type { PreparedDatabases } from './support/databases.js';

const TEMPLATE = 'whorl_template';

/** Starts one PostgreSQL for the whole run, and makes of each kind of database one that tests copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgresql();
  const databases: PreparedDatabases = {
    embedded: await prepareEmbedded(),
    ...(cluster && { postgresql: await preparePostgresql(cluster) }),
  };
  project.provide('databases', databases);
  return async () => cluster?.stop();
}

async function startPostgresql(): Promise<Cluster | undefined> {
  const programs = findPostgresql();
  if (programs) return startCluster(programs);
  if (process.env.WHORL_REQUIRE_ENGINES === '1')
    throw new Error('No PostgreSQL: run node scripts/setup-postgresql.mjs');
  console.warn('No PostgreSQL: what runs on it is skipped. To install it: node scripts/setup-postgresql.mjs');
  return undefined;
}

async function preparePostgresql(cluster: Cluster): Promise<{ admin: string; template: string }> {
  const admin = cluster.url('postgres');
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await makeTables({ kind: 'postgresql', url: cluster.url(TEMPLATE) });
  return { admin, template: TEMPLATE };
}

/** Takes many seconds, so it is kept. */
function prepareEmbedded(): Promise<string> {
  return cached({
    name: 'embedded',
    ingredients: ['service/src/store/migrations', 'service/src/delivery/queue', 'service/package.json'],
    make: (folder) => makeTables({ kind: 'embedded', folder }),
  });
}

async function makeTables(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  await migrate(database.db);
  await prepareQueue(database);
  await database.close();
}
