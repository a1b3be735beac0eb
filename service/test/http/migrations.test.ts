import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, migrations, type OpenDatabase, openDatabase } from '../../src/testing.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { waitFor } from '../support/wait-for.js';

const names = Object.keys(migrations);

describeDatabases('migrations', (kind) => {
  let fresh: FreshDatabase;
  let database: OpenDatabase;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    database = await openDatabase(fresh.options);
  });
  afterEach(async () => {
    await database.close();
    await fresh.drop();
  });

  test('run once', async () => {
    expect(await migrate(database.db)).toEqual([]);
  });

  test('are applied after those that already ran', async () => {
    const next = {
      up: (db: Kysely<unknown>) => sql`create table added (id integer)`.execute(db).then(() => undefined),
    };
    expect(await migrate(database.db, { ...migrations, '9999-next': next })).toEqual(['9999-next']);
    expect((await sql`select * from added`.execute(database.db)).rows).toEqual([]);
  });

  test('roll back a failed one and release the lock', async () => {
    const failing = {
      async up(db: Kysely<unknown>) {
        await sql`create table half (id integer)`.execute(db);
        await sql`select 1 / 0`.execute(db);
      },
    };
    await expect(migrate(database.db, { ...migrations, '9999-failing': failing })).rejects.toThrow('division by zero');
    const { rows } = await sql`select to_regclass('half') as half`.execute(database.db);
    expect(rows).toEqual([{ half: null }]);
    expect(await migrate(database.db)).toEqual([]);
  });

  test('are refused if the database has a newer version', async () => {
    await sql`insert into kysely_migration values ('9999-newer', 'then')`.execute(database.db);
    await expect(migrate(database.db)).rejects.toThrow(/newer version of the service.*9999-newer/);
  });
});

describePostgresql('a database of before', () => {
  test('gives the keys that exist the scope `evaluate`', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    const database = await openDatabase(fresh.options);
    const before = Object.entries(migrations).filter(([name]) => name < '2026-11-25-scopes');
    await migrate(database.db, Object.fromEntries(before));
    const id = '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06';
    await sql`insert into projects values (${id}, 'Shop', '{}', now())`.execute(database.db);
    await sql`insert into worlds values (${id}, ${id}, 'live')`.execute(database.db);
    await sql`insert into api_keys values (${id}, ${id}, 'secret', 'hash', 'wxyz', now())`.execute(database.db);
    expect(await migrate(database.db)).toContain('2026-11-25-scopes');
    expect(await database.db.selectFrom('api_keys').select('scopes').execute()).toEqual([{ scopes: ['evaluate'] }]);
    await database.close();
    await fresh.drop();
  });
});

describePostgresql('a migration of a table that a backup reads', () => {
  test('lets requests go first, and runs when the backup has ended', async () => {
    const fresh = await createDatabase('postgresql');
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    const database = await openDatabase(fresh.options);
    const backup = new pg.Client(fresh.options.url);
    await backup.connect();
    await backup.query('begin');
    await backup.query('lock table users in access share mode');
    const next = {
      up: (db: Kysely<unknown>) => sql`alter table users add column added integer`.execute(db).then(() => undefined),
    };
    const migrating = migrate(database.db, { ...migrations, '9999-next': next });
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and relation = 'users'::regclass
          and database = (select oid from pg_database where datname = current_database())
      `.execute(database.db);
      return rows.length > 0;
    };
    await waitFor(isWaiting, { what: 'the migration to wait for the table' });
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
    await backup.end();
    expect(await migrating).toEqual(['9999-next']);
    await database.close();
    await fresh.drop();
  });
});

describePostgresql('an empty database', () => {
  test('is refused if it cannot store all characters', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    const admin = new pg.Client(fresh.options.url);
    await admin.connect();
    await admin.query(`create database latin encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(fresh.options.url);
    url.pathname = '/latin';
    const latin = await openDatabase({ ...fresh.options, url: url.href });
    await expect(migrate(latin.db)).rejects.toThrow(/encoding LATIN1: create it again with the encoding UTF8\.$/);
    await latin.close();
    await admin.query('drop database latin');
    await admin.end();
    await fresh.drop();
  });

  test('gets entries of lists in place of its settings', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    const database = await openDatabase(fresh.options);
    const before = Object.entries(migrations).filter(([name]) => name < '2026-11-28-lists');
    await migrate(database.db, Object.fromEntries(before));
    const id = '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06';
    const settings = {
      mode: 'observe',
      blocked_addresses: ['198.51.100.7/24', '::ffff:192.0.2.1', 'nonsense', '2001:DB8::1'],
      allowed_addresses: ['198.51.100.0/24', '203.0.113.9'],
      allowed_users: ['ada'],
    };
    await sql`insert into projects values (${id}, 'Shop', ${JSON.stringify(settings)}, now())`.execute(database.db);
    await migrate(database.db);
    const { rows } = await sql`
      select concat_ws(' ', effect, kind, value, note, created_by) as entry from list_entries order by effect desc, value
    `.execute(database.db);
    expect(rows.map((row) => Object.values(row ?? {})[0])).toEqual([
      'block address 192.0.2.1 From the setting blocked_addresses upgrade',
      'block address 198.51.100.0/24 From the setting blocked_addresses upgrade',
      'block address 2001:db8::1 From the setting blocked_addresses upgrade',
      'allow address 203.0.113.9 From the setting allowed_addresses upgrade',
      'allow user ada From the setting allowed_users upgrade',
    ]);
    const { rows: projects } = await sql`select settings from projects`.execute(database.db);
    expect(projects).toEqual([{ settings: { mode: 'observe' } }]);
    await database.close();
    await fresh.drop();
  });

  test('is prepared once by several processes that start at the same time', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(fresh.options)));
    const results = await Promise.all(databases.map(({ db }) => migrate(db)));
    expect(results.flat()).toEqual(names);
    await Promise.all(databases.map((database) => database.close()));
    await fresh.drop();
  });
});
