import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, statement, type Transaction } from '../../src/testing.js';
import { describeDatabases, openFreshDatabase } from '../support/databases.js';

const add = statement<{ name: string; by: number }>()`
  insert into counters values (gen_random_uuid(), ${'name'}, 's', now(), 6 / ${'by'}::int)`;
const double = statement<{ name: string }>()`update counters set count = count * 2 where name = ${'name'}`;
const countOf = statement<{ name: string }, { count: number }>()`select count from counters where name = ${'name'}`;

describeDatabases('the writes of a transaction', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.deleteFrom('counters').execute();
  });

  const inTransaction = <Result>(act: (trx: Transaction) => Promise<Result>) => database.db.transaction().execute(act);

  test('run in order, and are visible to the next statement', async () => {
    const seen = await inTransaction(async (trx) => {
      await add(trx, { name: 'a', by: 2 });
      await double(trx, { name: 'a' });
      return countOf(trx, { name: 'a' });
    });
    expect(seen).toEqual([{ count: 6 }]);
  });

  test('are committed if no read follows', async () => {
    await inTransaction(async (trx) => {
      await add(trx, { name: 'a', by: 3 });
      await double(trx, { name: 'a' });
    });
    expect(await countOf(database.db, { name: 'a' })).toEqual([{ count: 4 }]);
  });

  test('that fail reject at once and roll back the transaction', async () => {
    const failing = inTransaction(async (trx) => {
      await add(trx, { name: 'a', by: 1 });
      await countOf(trx, { name: 'a' });
      await add(trx, { name: 'b', by: 0 });
      await countOf(trx, { name: 'a' });
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await countOf(database.db, { name: 'a' })).toEqual([]);
    await add(database.db, { name: 'a', by: 1 });
    expect(await countOf(database.db, { name: 'a' })).toEqual([{ count: 6 }]);
  });

  test('are rolled back when the transaction fails', async () => {
    const given = inTransaction(async (trx) => {
      await add(trx, { name: 'a', by: 1 });
      throw new Error('Given up');
    });
    await expect(given).rejects.toThrow('Given up');
    expect(await countOf(database.db, { name: 'a' })).toEqual([]);
  });

  test('run separately outside of transactions', async () => {
    await add(database.db, { name: 'a', by: 1 });
    await expect(add(database.db, { name: 'b', by: 0 })).rejects.toMatchObject({ code: '22012' });
    expect(await countOf(database.db, { name: 'a' })).toEqual([{ count: 6 }]);
  });

  test('of concurrent transactions do not mix', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const outcomes = await Promise.allSettled(
      names.map((name, index) =>
        inTransaction(async (trx) => {
          await add(trx, { name, by: index % 3 });
          await double(trx, { name });
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      names.map((_, index) => (index % 3 ? 'fulfilled' : 'rejected')),
    );
    const counts = await Promise.all(names.map((name) => countOf(database.db, { name })));
    expect(counts).toEqual(names.map((_, index) => (index % 3 ? [{ count: index % 3 === 1 ? 12 : 6 }] : [])));
  });
});
