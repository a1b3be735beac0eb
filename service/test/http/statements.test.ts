import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseUnavailableError, type OpenDatabase, statement, withOwnConnection } from '../../src/testing.js';
import { describeDatabases, openFreshDatabase } from '../support/databases.js';

/** More than five, after which PostgreSQL may switch to a generic plan. */
const TIMES = 8;

describeDatabases('statements', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());
  // Opening an embedded database takes seconds, so the tests share one, and each begins with the same tables.
  beforeEach(async () => {
    await sql`truncate counters`.execute(database.db);
    await sql`drop table if exists things`.execute(database.db);
  });

  test('return the same result each time for any values', async () => {
    const values = {
      text: `it's "é" \\ 字`,
      nothing: null,
      yes: true,
      no: false,
      whole: 42,
      real: 1.5,
      bytes: Uint8Array.of(0, 39, 92, 255),
      time: new Date('2026-01-02T03:04:05.678Z'),
      json: JSON.stringify({ a: ["it's", null] }),
    };
    const echo = statement<typeof values, typeof values>()`
      select ${'text'}::text as text, ${'nothing'}::text as nothing, ${'yes'}::boolean as yes, ${'no'}::boolean as no,
        ${'whole'}::bigint as whole, ${'real'}::real as real, ${'bytes'}::bytea as bytes, ${'time'}::timestamptz as time,
        ${'json'}::jsonb as json`;
    for (let time = 0; time < TIMES; time++) {
      const [row] = await echo(database.db, { ...values, whole: time });
      expect(row && { ...row, bytes: Uint8Array.from(row.bytes) }).toEqual({
        ...values,
        whole: time,
        json: JSON.parse(values.json),
      });
    }
  });

  test('accept repeated parameters and literal numbers', async () => {
    const select = statement<{ a: number; b: number }, { sum: number }>()`
      select ${'a'}::int * 100 + ${'b'}::int * 10 + ${'a'}::int as sum from generate_series(1, 9) limit ${2}`;
    expect(await select(database.db, { b: 2, a: 1 })).toEqual([{ sum: 121 }, { sum: 121 }]);
  });

  test('that failed work again with other values', async () => {
    const divide = statement<{ by: number }, { answer: number }>()`select 6 / ${'by'}::int as answer`;
    for (let time = 0; time < TIMES; time++) {
      await expect(divide(database.db, { by: 0 })).rejects.toMatchObject({ code: '22012' });
      expect(await divide(database.db, { by: 2 })).toEqual([{ answer: 3 }]);
    }
    const cast = statement<{ id: string }, { id: string }>()`select ${'id'}::uuid as id`;
    await expect(cast(database.db, { id: 'none' })).rejects.toMatchObject({ code: '22P02' });
  });

  test('that failed abort their transaction', async () => {
    const add = statement<{ name: string; by: number }>()`
      insert into counters values (gen_random_uuid(), ${'name'}, 's', now(), 1 / ${'by'}::int)`;
    const failing = database.db.transaction().execute(async (trx) => {
      await add(trx, { name: 'n', by: 1 });
      await add(trx, { name: 'n', by: 0 });
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await add(database.db, { name: 'n', by: 1 });
    expect(await database.db.selectFrom('counters').select('count').execute()).toEqual([{ count: 1 }]);
  });

  test('that do not parse fail, and the next ones work', async () => {
    const wrong = statement<{ a: number }>()`selekt ${'a'}::int`;
    for (let time = 0; time < 2; time++) {
      await expect(wrong(database.db, { a: 1 })).rejects.toMatchObject({ code: '42601' });
    }
    const right = statement<{ a: number }, { a: number }>()`select ${'a'}::int as a`;
    expect(await right(database.db, { a: 1 })).toEqual([{ a: 1 }]);
  });

  test('that failed before they were prepared work later', async () => {
    const read = statement<{ a: number }, { a: number }>()`select a from things where a = ${'a'}::int`;
    await expect(read(database.db, { a: 1 })).rejects.toMatchObject({ code: '42P01' });
    await sql`create table things (a int)`.execute(database.db);
    await sql`insert into things values (1)`.execute(database.db);
    expect(await read(database.db, { a: 1 })).toEqual([{ a: 1 }]);
  });

  test('of a transaction return their own rows, and the next transaction works after a failure', async () => {
    const note = statement<{
      name: string;
    }>()`insert into counters values (gen_random_uuid(), ${'name'}, 's', now(), 1)`;
    const count = statement<{ name: string }, { names: string[] }>()`
      select coalesce(jsonb_agg(name order by name), '[]') as names from counters where name like ${'name'}`;
    const noteAndCount = (name: string) =>
      database.db.transaction().execute(async (trx) => {
        await note(trx, { name });
        return count(trx, { name: '%' });
      });
    // Texts cannot contain a zero byte.
    await expect(noteAndCount('a\0')).rejects.toMatchObject({ code: '22021' });
    expect(await noteAndCount('a')).toEqual([{ names: ['a'] }]);
    expect(await noteAndCount('b')).toEqual([{ names: ['a', 'b'] }]);
  });

  test('of a transaction that run on its own connection are part of it, and fail after its end', async () => {
    const note = statement<{
      name: string;
    }>()`insert into counters values (gen_random_uuid(), ${'name'}, 's', now(), 1)`;
    const read = statement<
      { subject: string },
      { name: string }
    >()`select name from counters where subject = ${'subject'}`;
    const inOne = (names: string[]) =>
      database.db.transaction().execute((trx) =>
        withOwnConnection(trx, async () => {
          for (const name of names) await note(trx, { name });
          return { trx, rows: await read(trx, { subject: 's' }) };
        }),
      );
    await expect(inOne(['a', 'b\0'])).rejects.toMatchObject({ code: '22021' });
    const { trx, rows } = await inOne(['c']);
    expect(rows).toEqual([{ name: 'c' }]);
    await expect(note(trx, { name: 'd' })).rejects.toThrow('already committed');
    expect(await read(database.db, { subject: 's' })).toEqual([{ name: 'c' }]);
  });

  test('accept lists', async () => {
    const list = ['', 'a,b', `it's "é"`, '{\\}', 'null', null];
    const echo = statement<{ list: typeof list; dates: Date[] }, { list: unknown; first: Date }>()`
      select to_jsonb(${'list'}::text[]) as list, (${'dates'}::timestamptz[])[1] as first`;
    const first = new Date('2026-01-02T03:04:05.678Z');
    expect(await echo(database.db, { list, dates: [first] })).toEqual([{ list, first }]);
  });

  test('work again after a migration changed their result type', async () => {
    const table = sql.table(`table_${randomUUID()}`);
    await sql`create table ${table} (name text)`.execute(database.db);
    const read = () => sql`select * from ${table} where name = ${'x'}`.execute(database.db);
    await read();
    await sql`alter table ${table} add column added int`.execute(database.db);
    // Only the connection that prepared it fails once. Another may be in use by now.
    await read().catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseUnavailableError));
    expect((await read()).rows).toEqual([]);
    await sql`insert into ${table} values ('x', 7)`.execute(database.db);
    expect((await read()).rows).toEqual([{ name: 'x', added: 7 }]);
  });
});
