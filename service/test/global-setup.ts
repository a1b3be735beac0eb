import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { startPgbouncer } from '../../scripts/pgbouncer.mjs';
import { createDistributedTemplate, startCitus } from './support/citus.js';
import { type Cluster, startCluster } from './support/cluster.js';
import type { PreparedDatabases } from './support/databases.js';
import { embeddedTemplate } from './support/embedded-template.js';
import { makeTables } from './support/make-tables.js';

const TEMPLATE = 'whorl_template';

interface Started {
  readonly cluster: Cluster;
  readonly databases: NonNullable<PreparedDatabases['postgresql']>;
}

/** Starts one PostgreSQL server for the whole run, and creates one database of each kind as a template for tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The whole suite runs on a Citus cluster too, if chosen: npm run --prefix bench citus -- --only suite.
  const started = process.env.WHORL_TEST_CITUS ? await startDistributed() : await startPostgresql();
  // And through a pooler: npm run --prefix bench pgbouncer.
  const pooler =
    process.env.WHORL_TEST_POOLER && started ? await startPgbouncer(started.cluster.url('postgres')) : undefined;
  const databases: PreparedDatabases = {
    embedded: await embeddedTemplate(),
    ...(started && { postgresql: { ...started.databases, ...(pooler && { pooler: pooler.url('postgres') }) } }),
  };
  project.provide('databases', databases);
  return async () => {
    await pooler?.stop();
    await started?.cluster.stop();
  };
}

async function startPostgresql(): Promise<Started | undefined> {
  const programs = findPostgresql();
  if (programs) {
    const cluster = await startCluster(programs);
    return { cluster, databases: await preparePostgresql(cluster) };
  }
  if (process.env.WHORL_REQUIRE_ENGINES === '1')
    throw new Error('No PostgreSQL: run node scripts/setup-postgresql.mjs');
  console.warn('No PostgreSQL: its tests are skipped. To install it, run node scripts/setup-postgresql.mjs');
  return undefined;
}

async function preparePostgresql(cluster: Cluster): Promise<Started['databases']> {
  const admin = cluster.url('postgres');
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await makeTables({ kind: 'postgresql', url: cluster.url(TEMPLATE) });
  return { admin, template: TEMPLATE };
}

async function startDistributed(): Promise<Started> {
  const cluster = await startCitus();
  await createDistributedTemplate(cluster, TEMPLATE);
  return { cluster, databases: { admin: cluster.url('postgres'), workers: cluster.workers, template: TEMPLATE } };
}
