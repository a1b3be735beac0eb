import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { prepareQueue } from '../src/delivery/queue/index.js';
import { type DatabaseOptions, openDatabase } from '../src/store/database.js';
import { migrate } from '../src/store/migrate.js';
import { type Cluster, startCluster } from './support/cluster.js';
import type { PreparedDatabases } from './support/databases.js';

const TEMPLATE = 'whorl_template';
const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/whorl');
/** What decides how an embedded database with all tables looks on disk. */
const INGREDIENTS = ['service/src/store/migrations', 'service/src/delivery/queue', 'service/package.json'];

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

/** Takes many seconds, so it is kept until its ingredients change. */
async function prepareEmbedded(): Promise<string> {
  const kept = join(cache, `embedded-${await fingerprintOf(INGREDIENTS)}`);
  if (existsSync(kept)) return kept;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  await makeTables({ kind: 'embedded', folder: draft });
  // Another run may have been faster; its work is as good.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true }));
  return kept;
}

async function makeTables(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  await migrate(database.db);
  await prepareQueue(database);
  await database.close();
}

async function fingerprintOf(paths: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) for (const file of await filesIn(join(root, path))) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => undefined);
  return names ? names.sort().map((name) => join(path, name)) : [path];
}
