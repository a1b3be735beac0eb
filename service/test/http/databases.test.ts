import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  compact,
  DatabaseUnavailableError,
  endUserTurns,
  lockUser,
  type OpenDatabase,
  openDatabase,
  sentWithNext,
  withUserTurns,
} from '../../src/testing.js';
import {
  createDatabase,
  describeDatabases,
  describePostgresql,
  type FreshDatabase,
  openFreshDatabase,
} from '../support/databases.js';

describeDatabases('databases', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());

  test('return values as the same types', async () => {
    const { rows } = await sql`
      select ${5}::bigint as count, sum(v) as sum, ${Buffer.from([1, 255])}::bytea as bytes, '{"a": [1]}'::jsonb as json,
        ${new Date('2026-01-02T03:04:05.678Z')}::timestamptz as time from (values (1::bigint), (2)) as t (v)
    `.execute(database.db);
    expect(rows).toHaveLength(1);
    const [row] = rows as Record<string, unknown>[];
    expect(row).toMatchObject({
      count: 5,
      sum: 3,
      json: { a: [1] },
      time: new Date('2026-01-02T03:04:05.678Z'),
    });
    expect(Uint8Array.from(row?.bytes as Uint8Array)).toEqual(Uint8Array.of(1, 255));
  });

  test('return the number of changed rows', async () => {
    const one = await database.db.deleteFrom('projects').executeTakeFirstOrThrow();
    expect(one.numDeletedRows).toBe(0n);
  });

  test('isolate a transaction from concurrent writes', async () => {
    const row = (id: number) => sql`insert into counters values (${uuid(id)}, 'n', 's', now(), ${id})`;
    let other: Promise<unknown> | undefined;
    const failing = database.db.transaction().execute(async (trx) => {
      await row(1).execute(trx);
      other = row(2).execute(database.db);
      await row(1)
        .execute(trx)
        .catch(() => undefined);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await other;
    const left = await database.db.selectFrom('counters').select('count').where('name', '=', 'n').execute();
    expect(left).toEqual([{ count: 2 }]);
  });

  test('do not report success for a transaction with a failed statement', async () => {
    const careless = database.db.transaction().execute(async (trx) => {
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
    });
    await expect(careless).rejects.toThrow();
  });

  test('report the failure of a write that was sent together with the commit', async () => {
    const add = sentWithNext<{ id: string }>()`insert into counters values (${'id'}, 'sent', 's', '2026-01-01Z', 1)`;
    const id = uuid(3);
    await database.db.transaction().execute((trx) => add(trx, { id }));
    const twice = database.db.transaction().execute(async (trx) => {
      await add(trx, { id: uuid(4) });
      await add(trx, { id });
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    const left = await database.db.selectFrom('counters').select('count').where('name', '=', 'sent').execute();
    expect(left).toHaveLength(1);
  });

  test('run transactions of one user one after the other', async () => {
    const steps: string[] = [];
    const transaction = (name: string) =>
      database.db.transaction().execute(async (trx) => {
        try {
          // The lock is sent with the next statement.
          await lockUser(trx, uuid(1), 'ada');
          await sql`select 1`.execute(trx);
          steps.push(name);
          await sql`select 1`.execute(trx);
          steps.push(name);
        } finally {
          endUserTurns(trx);
        }
      });
    await Promise.all(['a', 'b', 'c'].map((name) => withUserTurns(() => transaction(name))));
    expect(steps.filter((name, at) => at % 2 === 0 && steps[at + 1] === name)).toHaveLength(3);
  });

  test('reject work after closing, without waiting for a connection', async () => {
    const closed = await openFreshDatabase(kind);
    await closed.close();
    await expect(sql`select 1`.execute(closed.db)).rejects.toThrow(/is closed|after calling end/);
  });
});

test('distinguishes an unreachable PostgreSQL from other errors', async () => {
  const database = await openDatabase({ kind: 'postgresql', url: 'postgresql://127.0.0.1:1/none' });
  await expect(sql`select 1`.execute(database.db)).rejects.toBeInstanceOf(DatabaseUnavailableError);
  await database.close();
});

describePostgresql('statements on PostgreSQL', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await createDatabase('postgresql');
  });
  afterAll(() => fresh.drop());

  async function open(pooler: boolean): Promise<OpenDatabase> {
    if (fresh.options.kind !== 'postgresql') throw new Error('That is another database');
    // On one connection, so that each statement meets the earlier prepared ones.
    return openDatabase({ ...fresh.options, poolSize: 1, pooler });
  }
  const prepared = async ({ db }: OpenDatabase) =>
    (await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db)).rows[0]?.count;

  test('are prepared once for each text, and never for a pooler', async () => {
    for (const [pooler, count] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const database = await open(pooler);
      for (const name of ['a', 'b', 'c']) {
        await database.db.selectFrom('projects').select('id').where('name', '=', name).execute();
      }
      expect(await prepared(database)).toBe(count);
      await database.close();
    }
  });

  test('are not compiled to machine code, which takes seconds for many partitions', async () => {
    const database = await open(false);
    await sql`set jit_above_cost = 0`.execute(database.db);
    const plan = await sql`explain (analyze) select count(*) from evaluations`.execute(database.db);
    expect(JSON.stringify(plan.rows)).not.toContain('JIT');
    await database.close();
  });

  test.each([
    { options: 'none', jit: 'off' },
    { options: '-c work_mem=5MB', jit: 'off' },
    { options: '-c work_mem=5MB -c jit=on', jit: 'on' },
  ])('have the options of the URL, after our own: $options', async ({ options, jit }) => {
    if (fresh.options.kind !== 'postgresql') throw new Error('That is another database');
    const url = new URL(fresh.options.url);
    if (options !== 'none') url.searchParams.set('options', options);
    const database = await openDatabase({ ...fresh.options, url: url.href });
    const show = async (name: string) =>
      Object.values((await sql<Record<string, string>>`show ${sql.ref(name)}`.execute(database.db)).rows[0] ?? {})[0];
    expect(await show('jit')).toBe(jit);
    expect(await show('work_mem')).toBe(options === 'none' ? '4MB' : '5MB');
    await database.close();
  });

  test('return times as such, whatever style the database has', async () => {
    const database = await open(false);
    const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    const name = sql.ref(names[0]?.name ?? '');
    await sql`alter database ${name} set datestyle = 'German'`.execute(database.db);
    await database.close();
    const again = await open(false);
    const { rows } = await sql`select timestamptz '2026-11-30 04:05:06Z' as time`.execute(again.db);
    expect(rows).toEqual([{ time: new Date('2026-11-30T04:05:06Z') }]);
    await again.close();
  });

  test('compact the tables of the schema in use', async () => {
    if (fresh.options.kind !== 'postgresql') throw new Error('That is another database');
    const url = new URL(fresh.options.url);
    url.searchParams.set('options', '-c search_path=elsewhere');
    const { db, close } = await openDatabase({ ...fresh.options, url: url.href });
    await sql`create schema elsewhere`.execute(db);
    await sql`create table notes (id integer)`.execute(db);
    const fileOfNotes = async () => (await sql`select pg_relation_filenode('elsewhere.notes')`.execute(db)).rows;
    const before = await fileOfNotes();
    await compact(db);
    expect(await fileOfNotes()).not.toEqual(before);
    await close();
  });

  test('work again after a migration changed their result type', async () => {
    const database = await open(false);
    const read = () => sql`select * from counters where name = ${'x'}`.execute(database.db);
    await read();
    await sql`alter table counters add column extra integer`.execute(database.db);
    await expect(read()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(read()).resolves.toBeDefined();
    await database.close();
  });
});

function uuid(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}
