import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeEmbedded, type OpenDatabase, statement, vacuumEmbedded } from '../../src/testing.js';
import { describeDatabases, openFreshDatabase } from '../support/databases.js';

/** More than five, after which PostgreSQL may switch to a generic plan. */
const TIMES = 8;

const readCounter = statement<{ worldId: string; subject: string }, { count: number }>()`
  select count from counters where world_id = ${'worldId'}::uuid and name = 'n' and subject = ${'subject'}::text`;

describeDatabases('statistics', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());

  async function addCounters(count: number) {
    await sql`insert into counters
      select gen_random_uuid(), 'n', n::text, now(), 1 from generate_series(1, ${count}::int) n`.execute(database.db);
    await flushStatistics();
  }

  /** Makes changes visible in the embedded database's views, where they appear with a delay. */
  async function flushStatistics() {
    if (kind === 'postgresql') return;
    await sql`select pg_stat_force_next_flush()`.execute(database.db);
    await sql`select 1`.execute(database.db);
  }

  async function countersInStatistics() {
    const { rows } = await sql<{ analyzed: number; scans: number; analyzedAt: Date | null }>`
      select c.reltuples as analyzed, s.seq_scan as scans, s.last_analyze as "analyzedAt"
      from pg_class c join pg_stat_user_tables s on s.relid = c.oid where c.relname = 'counters'
    `.execute(database.db);
    return rows[0] ?? { analyzed: 0, scans: 0, analyzedAt: null };
  }

  /** Reads several times, and returns how often that scanned the whole table. */
  async function readCounters() {
    const { scans } = await countersInStatistics();
    const values = { worldId: '00000000-0000-4000-8000-000000000000', subject: '1' };
    for (let time = 0; time < TIMES; time++) await readCounter(database.db, values);
    await flushStatistics();
    return (await countersInStatistics()).scans - scans;
  }

  if (kind === 'postgresql') {
    test('are left to autovacuum', async () => {
      await addCounters(1000);
      await analyzeEmbedded(database.db);
      expect(await countersInStatistics()).toMatchObject({ analyzedAt: null });
    });
    return;
  }

  test('are updated when a table has grown, so that plans use its index', async () => {
    await addCounters(10);
    await vacuumEmbedded(database.db);
    expect(await readCounters()).toBe(TIMES);
    await addCounters(2000);
    expect(await readCounters()).toBe(TIMES);
    await analyzeEmbedded(database.db);
    expect(await countersInStatistics()).toMatchObject({ analyzed: 2010 });
    expect(await readCounters()).toBe(0);
  });

  test('are not updated for a few changes', async () => {
    await addCounters(1000);
    await analyzeEmbedded(database.db);
    const { analyzed } = await countersInStatistics();
    await addCounters(50);
    await analyzeEmbedded(database.db);
    expect(await countersInStatistics()).toMatchObject({ analyzed });
  });
});
