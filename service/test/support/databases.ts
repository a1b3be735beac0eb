import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, inject, type TestOptions, test } from 'vitest';
import { type DatabaseKind, type DatabaseOptions, type OpenDatabase, openDatabase } from '../../src/db/database.js';

/** What the global set-up made, once for the whole run. */
export interface PreparedDatabases {
  /** A folder as `openDatabase` takes it, with all tables. */
  readonly embedded: string;
  /** Absent where there is no PostgreSQL. */
  readonly postgresql?: { readonly admin: string; readonly template: string };
}

declare module 'vitest' {
  interface ProvidedContext {
    databases: PreparedDatabases;
  }
}

/**
 * Describes the same behaviour on each database that the service runs on. Where there is no PostgreSQL, its half is
 * skipped, and counts as such.
 */
export function describeDatabases(name: string, suite: (kind: DatabaseKind) => void): void {
  describe(`${name} (embedded)`, () => suite('embedded'));
  describePostgresql(`${name} (postgresql)`, () => suite('postgresql'));
}

/** Describes what only PostgreSQL has, such as several processes on one database. */
export function describePostgresql(name: string, suite: () => void): void {
  describe.skipIf(!inject('databases').postgresql)(name, suite);
}

type OnOneDatabase = (name: string, options: TestOptions, run: () => Promise<void>) => void;

/**
 * For what is the same on each database, and takes long: it runs on one of those that are described, on PostgreSQL where
 * that is there.
 */
export function testOnce(kind: DatabaseKind): OnOneDatabase {
  const chosen = inject('databases').postgresql ? 'postgresql' : 'embedded';
  // Left out elsewhere, and not skipped: nothing is missing there.
  return kind === chosen ? test : () => undefined;
}

/** A database of a test's own. */
export interface FreshDatabase {
  readonly options: DatabaseOptions;
  /** Removes it; close what is open on it before. */
  drop(): Promise<void>;
}

/** Makes a database with all tables and no rows; or, as `empty`, without tables. */
export function createDatabase(kind: DatabaseKind, { empty = false } = {}): Promise<FreshDatabase> {
  return kind === 'embedded' ? createEmbedded(empty) : createPostgresql(empty);
}

/** The same, opened; `close` also drops it. */
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
  if (!empty) await cp(inject('databases').embedded, folder, { recursive: true });
  return { options: { kind: 'embedded', folder }, drop: () => rm(folder, { recursive: true }) };
}

async function createPostgresql(empty: boolean): Promise<FreshDatabase> {
  const { postgresql } = inject('databases');
  if (!postgresql) throw new Error('There is no PostgreSQL here');
  const { admin, template } = postgresql;
  const name = `whorl_${randomUUID().replaceAll('-', '')}`;
  await execute(admin, `create database ${name}${empty ? '' : ` template ${template}`}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const drop = () => execute(admin, `drop database ${name} with (force)`);
  return { options: { kind: 'postgresql', url: url.href }, drop };
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
