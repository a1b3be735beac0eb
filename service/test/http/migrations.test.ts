import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { migrations } from '../../src/db/migrations/index.js';
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

  test('are added to those that ran before', async () => {
    const next = {
      up: (db: Kysely<unknown>) => sql`create table added (id integer)`.execute(db).then(() => undefined),
    };
    expect(await migrate(database.db, { ...migrations, '9999-next': next })).toEqual(['9999-next']);
    expect((await sql`select * from added`.execute(database.db)).rows).toEqual([]);
  });

  test('leave nothing of one that fails, nor a lock', async () => {
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

  test('take what was logged before into the audit log', async () => {
    const before = await createDatabase(kind, { empty: true });
    const { db, close } = await openDatabase(before.options);
    const earlier = names.slice(0, names.indexOf('2026-11-22-audit-log'));
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => earlier.includes(name))));
    const [project, world, admin] = ['1', '2', '3'].map((digit) => `00000000-0000-7000-8000-00000000000${digit}`);
    await sql`insert into projects values (${project}, 'Shop', '{}', '', '{"kid": "first"}', now())`.execute(db);
    await sql`insert into worlds values (${world}, ${project}, 'test')`.execute(db);
    await sql`insert into setting_changes (id, project_id, changed_by, changes, created_at) values
      (gen_random_uuid(), ${project}, ${`administrator ${admin}`}, '{"key_rotated": {}, "old_key_until": {}}', now()),
      (gen_random_uuid(), ${project}, 'command line', '{"mode": {"from": null, "to": "observe"}}', now())`.execute(db);
    await sql`insert into admin_actions (id, world_id, admin_id, action, subject, created_at)
      values (gen_random_uuid(), ${world}, ${admin}, 'block', ${world}, now())`.execute(db);
    await migrate(db);
    const { rows } = await sql`
      select kind, actor, admin_id, project_id, mode, changes #>> '{mode,to}' as changed from audit_log order by kind
    `.execute(db);
    const ofAdmin = { actor: 'administrator', admin_id: admin, project_id: project };
    expect(rows).toEqual([
      { kind: 'block', ...ofAdmin, mode: 'test', changed: null },
      { kind: 'key_rotated', ...ofAdmin, mode: null, changed: null },
      {
        ...{ kind: 'settings_changed', actor: 'command line', admin_id: null, project_id: project, mode: null },
        changed: 'observe',
      },
    ]);
    await close();
    await before.drop();
  });

  test('are refused where the database is of a newer version', async () => {
    await sql`insert into kysely_migration values ('9999-newer', 'then')`.execute(database.db);
    await expect(migrate(database.db)).rejects.toThrow(/newer version of the service.*9999-newer/);
  });
});

describeDatabases('the migration of signing keys', (kind) => {
  test('keeps the key that each project has', async () => {
    const fresh = await createDatabase(kind, { empty: true });
    const database = await openDatabase(fresh.options);
    const before = Object.entries(migrations).filter(([name]) => name < '2026-11-22-signing-keys');
    await migrate(database.db, Object.fromEntries(before));
    const [id, createdAt] = ['01a1fc17-0a05-7795-9f61-ee4441132109', new Date('2026-11-20T10:00:00.000Z')];
    await sql`
      insert into projects values (${id}, 'Shop', '{}', ${Buffer.from('sealed')}, '{"kid":"name","kty":"EC"}', ${createdAt})
    `.execute(database.db);
    await migrate(database.db);
    const keys = await database.db.selectFrom('signing_keys').selectAll().execute();
    expect(keys.map((key) => ({ ...key, private_key: Buffer.from(key.private_key).toString() }))).toEqual([
      {
        ...{ kid: 'name', project_id: id, private_key: 'sealed', public_key: { kid: 'name', kty: 'EC' } },
        ...{ created_at: createdAt, signs_from: createdAt, published_until: null },
      },
    ]);
    await database.close();
    await fresh.drop();
  });
});

describePostgresql('an empty database', () => {
  test('is prepared once by many that start at the same time', async () => {
    const fresh = await createDatabase('postgresql', { empty: true });
    const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(fresh.options)));
    const results = await Promise.all(databases.map(({ db }) => migrate(db)));
    expect(results.flat()).toEqual(names);
    await Promise.all(databases.map((database) => database.close()));
    await fresh.drop();
  });
});
