import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, migrations, type OpenDatabase, openDatabase } from '../../src/testing.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';

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

describePostgresql('an empty database', () => {
  test('is prepared once by several processes that start at the same time', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(fresh.options)));
    const results = await Promise.all(databases.map(({ db }) => migrate(db)));
    expect(results.flat()).toEqual(names);
    await Promise.all(databases.map((database) => database.close()));
    await fresh.drop();
  });
});
