import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { startPgbouncer } from '../../scripts/pgbouncer.mjs';
import { type Cluster, startCluster } from './support/cluster.js';
import type { PreparedDatabases } from './support/databases.js';
import { embeddedTemplate } from './support/embedded-template.js';
import { makeTables } from './support/make-tables.js';

const TEMPLATE = 'whorl_template';

/** Starts one PostgreSQL server for the whole run, and creates one database of each kind as a template for tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgresql();
  // The whole suite passes through a pooler too, if chosen: npm run --prefix bench pgbouncer.
  const pooler = process.env.WHORL_TEST_POOLER && cluster ? await startPgbouncer(cluster.url('postgres')) : undefined;
  const databases: PreparedDatabases = {
    embedded: await embeddedTemplate(),
    ...(cluster && {
      postgresql: { ...(await preparePostgresql(cluster)), ...(pooler && { pooler: pooler.url('postgres') }) },
    }),
  };
  project.provide('databases', databases);
  return async () => {
    await pooler?.stop();
    await cluster?.stop();
  };
}

async function startPostgresql(): Promise<Cluster | undefined> {
  const programs = findPostgresql();
  if (programs) return startCluster(programs);
  if (process.env.WHORL_REQUIRE_ENGINES === '1')
    throw new Error('No PostgreSQL: run node scripts/setup-postgresql.mjs');
  console.warn('No PostgreSQL: its tests are skipped. To install it, run node scripts/setup-postgresql.mjs');
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
