import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, test } from 'vitest';
import { type DatabaseKind, type DatabaseOptions, type OpenDatabase, openDatabase } from '../../src/testing.js';
import { copyFolder, removeFolder } from './folders.js';
import { runSql } from './run-sql.js';

/** Databases that the global set-up created, once for the whole run. */
export interface PreparedDatabases {
  /** Folder for `openDatabase`, with all tables. */
  readonly embedded: string;
  /** Absent if PostgreSQL is not installed. */
  readonly postgresql?: {
    readonly admin: string;
    readonly template: string;
    /** URLs of the other nodes, if the tables are distributed. They have the same databases. */
    readonly workers?: readonly string[];
    /** URL of PgBouncer in front of the server. Absent if the tests connect directly. */
    readonly pooler?: string;
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    databases: PreparedDatabases;
  }
}

/**
 * Runs a suite on each database that the service supports. If PostgreSQL is not installed, its half is reported as
 * skipped.
 */
export function describeDatabases(name: string, suite: (kind: DatabaseKind) => void): void {
  describe(`${name} (embedded)`, () => suite('embedded'));
  describePostgresql(`${name} (postgresql)`, () => suite('postgresql'));
}

/** Runs a suite on PostgreSQL only, for example with several processes on one database. */
export function describePostgresql(name: string, suite: () => void): void {
  describe.skipIf(!inject('databases').postgresql)(name, suite);
}

type OnOneDatabase = (name: string, run: () => Promise<void>) => void;

/**
 * Returns a `test` for slow tests that do not depend on the database. They run on PostgreSQL if it is installed,
 * otherwise on the embedded database.
 */
export function testOnce(kind: DatabaseKind): OnOneDatabase {
  const chosen = inject('databases').postgresql ? 'postgresql' : 'embedded';
  // Omitted instead of skipped, because nothing is untested.
  return kind === chosen ? test : () => undefined;
}

/** Returns whether PostgreSQL is a Citus cluster. */
export function isDistributed(): boolean {
  return inject('databases').postgresql?.workers !== undefined;
}

/** Returns the environment variables that select a database, without the secret. */
export function locationOf(database: DatabaseOptions): Readonly<Record<string, string>> {
  if (database.kind === 'embedded') return { DATA_FOLDER: database.folder };
  const { url, pooler, directUrl } = database;
  return {
    DATABASE_URL: url,
    ...(pooler && { DATABASE_POOLER: 'true' }),
    ...(directUrl && { DATABASE_DIRECT_URL: directUrl }),
  };
}

/** Database that belongs to one test. */
export interface FreshDatabase {
  readonly options: DatabaseOptions;
  /** Deletes the database. Close all connections first. */
  drop(): Promise<void>;
}

/** Creates a database with all tables and no rows, or, with `empty`, without tables. */
export function createDatabase(kind: DatabaseKind, { empty = false } = {}): Promise<FreshDatabase> {
  return kind === 'embedded' ? createEmbedded(empty) : createPostgresql(empty);
}

/** Creates and opens a database. `close` also deletes it. */
export async function openFreshDatabase(kind: DatabaseKind): Promise<OpenDatabase> {
  const fresh = await createDatabase(kind);
  const database = await openDatabase(fresh.options);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}

async function createEmbedded(empty: boolean): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'whorl-embedded-'));
  if (!empty) await copyFolder(inject('databases').embedded, folder);
  return { options: { kind: 'embedded', folder }, drop: () => removeFolder(folder) };
}

async function createPostgresql(empty: boolean): Promise<FreshDatabase> {
  const { postgresql } = inject('databases');
  if (!postgresql) throw new Error('There is no PostgreSQL here');
  const { admin, template, workers = [], pooler } = postgresql;
  const name = `whorl_${randomUUID().replaceAll('-', '')}`;
  const nodes = empty ? [admin] : [admin, ...workers];
  const onNodes = async (statement: string) => {
    await Promise.all(nodes.map((node) => runSql(node, statement)));
  };
  await onNodes(`create database ${name}${empty ? '' : ` template ${template}`}`);
  const urlAt = (server: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const drop = async () => {
    // A process of Citus would connect again at once.
    if (isDistributed()) await onNodes(`alter database ${name} with allow_connections false`);
    await onNodes(`drop database ${name} with (force)`);
  };
  const url = urlAt(admin);
  const options: DatabaseOptions = pooler
    ? { kind: 'postgresql', url: urlAt(pooler), pooler: true, directUrl: url }
    : { kind: 'postgresql', url };
  return { options, drop };
}
