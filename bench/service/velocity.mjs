// Measures what it costs to count evaluations, and how exact the counts of distinct values are.
//   node service/velocity.mjs [--seconds 5] [--rounds 3] [--markdown]
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { quantile } from '../cost/stats.mjs';
import { formatTable } from '../cost/table.mjs';
import { query, startCluster } from './postgresql.mjs';
import { writeResult } from './results.mjs';
import { makeProject, selectWorld } from './service.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    markdown: { type: 'boolean', default: false },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const writers = 16;
const kinds = ['address', 'asn', 'device', 'email_domain', 'network', 'user'];
/** Kinds whose subject is the same for all writers, as when many people use one address. */
const shared = ['address', 'asn', 'email_domain', 'network'];

assertBuilt('package', 'service');
const service = await import('../../service/dist/testing.js');
const { cells, countEvaluation, estimateDistinct, openDatabase, slotOf, statement, storePending } = service;
/** Counting in the transaction of the evaluation, as it was done before there were batches. */
const countInTransaction = statement()`
  insert into velocity_counts as v (
    world_id, kind, subject, slot, shard, evaluations, failures, signups, users, devices, countries
  )
  select ${'worldId'}::uuid, s.kind, s.subject, ${'slot'}::timestamptz, pg_backend_pid() % s.shards, 1, 0, 0,
    set_bit(0::bit(512), ${'userCell'}::int, 1), set_bit(0::bit(512), ${'deviceCell'}::int, 1), set_bit(0::bit(676), 84, 1)
  from unnest(${'kinds'}::text[], ${'keys'}::bytea[], ${'shards'}::int[]) as s (kind, subject, shards)
  on conflict (world_id, kind, subject, slot, shard) do update set
    evaluations = v.evaluations + excluded.evaluations, users = v.users | excluded.users,
    devices = v.devices | excluded.devices, countries = v.countries | excluded.countries`;
const selectCounts = statement()`select (${service.selectCounts}) as counts`;
const { sql } = await import('kysely');

const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-velocity-'));
const cluster = await startCluster();
try {
  await query(cluster.url('postgres'), 'create database bench');
  const url = cluster.url('bench');
  await makeProject({ DATABASE_URL: url, DATA_FOLDER: folder, WHORL_SECRET: randomBytes(32).toString('base64') });
  const [world] = await query(url, selectWorld);
  const worldId = String(world?.id);
  const opened = await openDatabase({ kind: 'postgresql', url, poolSize: writers });
  const { db } = opened;
  try {
    await query(url, 'create table things (id uuid primary key, content bytea)');
    const contention = await measureContention(db, worldId);
    const none = medianOf(contention, 'no counting');
    const single = medianOf(contention, 'in the transaction, one row per subject');
    console.log(
      formatTable(
        [
          ['16 writers, transactions per second', 'median', 'of no counting', 'of one row per subject'],
          ...[...new Set(contention.map(({ name }) => name))].map((name) => {
            const median = medianOf(contention, name);
            return [name, median.toFixed(0), (median / none).toFixed(2), (median / single).toFixed(2)];
          }),
        ],
        { markdown: values.markdown },
      ),
    );
    const reading = await measureReading(db, worldId, url);
    console.log(
      `\n${formatTable([['reading the counts of 6 subjects', 'rows', 'median, ms', 'p99, ms'], ...reading], { markdown: values.markdown })}`,
    );
    const errors = measureErrors();
    console.log(
      `\n${formatTable([['distinct values', 'standard error', 'of the number', 'largest of 1,000'], ...errors], { markdown: values.markdown })}`,
    );
    const measured = { measuredAt: new Date().toISOString(), node: process.version, postgresql: cluster.version };
    const all = { ...measured, contention, reading, errors };
    console.error(`All results are in ${await writeResult('velocity', all)}.`);
  } finally {
    await opened.close();
  }
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** Returns an evaluation to count. Subjects of other kinds than `shared` differ for each. */
function evaluationOf() {
  const cell = () => Math.floor(Math.random() * cells);
  return {
    subjects: kinds.map((kind) => ({ kind, key: shared.includes(kind) ? Buffer.alloc(16, kind) : randomBytes(16) })),
    slot: slotOf(new Date()),
    hasFailed: false,
    isSignup: false,
    userCell: cell(),
    deviceCell: cell(),
    countryCell: 84,
  };
}

/** Measures transactions that insert a row of an evaluation's size, and count in different ways. */
async function measureContention(db, worldId) {
  const inTransaction = (shards) => (trx) => {
    const { subjects, ...counted } = evaluationOf();
    const keys = subjects.map(({ key }) => key);
    const shardsOf = kinds.map((kind) => (shared.includes(kind) ? shards : 1));
    return countInTransaction(trx, { worldId, ...counted, kinds, keys, shards: shardsOf });
  };
  const counting = { db, memory: {}, now: () => new Date(), log: console };
  const ways = [
    ['no counting', {}],
    ['in batches', { after: () => countEvaluation(counting, worldId, evaluationOf()) }],
    ['in the transaction, one row per subject', { within: inTransaction(1) }],
    ['in the transaction, 16 rows per busy subject', { within: inTransaction(16) }],
  ];
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of ways) measured.push({ name, perSecond: await run(db, way) });
    await storePending(counting);
  }
  return measured;
}

async function run(db, { within, after }) {
  let done = 0;
  const end = performance.now() + seconds * 1000;
  const write = async () => {
    while (performance.now() < end) {
      await db.transaction().execute(async (trx) => {
        await sql`insert into things values (${randomUUID()}, ${randomBytes(1500)})`.execute(trx);
        await within?.(trx);
      });
      after?.();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return done / seconds;
}

/** Measures reading after a busy day. */
async function measureReading(db, worldId, url) {
  await query(url, 'truncate velocity_counts');
  const now = new Date();
  const fill = `insert into velocity_counts
    select $1, k, decode(repeat(encode(convert_to(k, 'UTF8'), 'hex'), 16), 'hex'), s, 0, 300, 30, 1,
      repeat('01', 256)::bit(512), repeat('01', 256)::bit(512), repeat('01', 256)::bit(512), 0::bit(676)
    from unnest($2::text[]) k, generate_series($3::timestamptz, $4::timestamptz, $5::interval) s`;
  const slot = slotOf(now);
  const hours = (count) => new Date(slot.getTime() - count * 3_600_000);
  const keys = kinds.map((kind) => Buffer.from(kind.repeat(16)));
  const times = async (name) => {
    const question = {
      worldId,
      kinds,
      subjects: keys,
      fiveMinutes: new Date(slot.getTime() - 300_000),
      hour: hours(1),
      day: hours(24),
    };
    const taken = [];
    for (let index = 0; index < 500; index++) {
      const start = performance.now();
      await selectCounts(db, question);
      if (index >= 100) taken.push(performance.now() - start);
    }
    const [row] = await query(url, 'select count(*)::int as rows from velocity_counts');
    return [name, String(row?.rows), quantile(taken, 0.5).toFixed(2), quantile(taken, 0.99).toFixed(2)];
  };
  const result = [await times('never seen')];
  await query(url, fill, [worldId, kinds, slot, slot, '1 hour']);
  await query(url, 'analyze velocity_counts');
  result.push(await times('seen once'));
  await query(url, fill, [worldId, shared, hours(24), hours(3), '1 hour']);
  await query(url, fill, [worldId, shared, hours(2), new Date(slot.getTime() - 300_000), '5 minutes']);
  await query(url, 'analyze velocity_counts');
  result.push(await times('4 of them always busy'));
  return result;
}

function measureErrors() {
  return [10, 30, 100, 500, 1000, 2000].map((count) => {
    const errors = Array.from({ length: 1000 }, () => {
      const occupied = new Set();
      for (let index = 0; index < count; index++) occupied.add(Math.floor(Math.random() * cells));
      return estimateDistinct(occupied.size) - count;
    });
    const standard = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    const largest = Math.max(...errors.map(Math.abs));
    return [String(count), standard.toFixed(1), `${((100 * standard) / count).toFixed(1)}%`, String(largest)];
  });
}

function medianOf(all, name) {
  return quantile(
    all.filter((one) => one.name === name).map(({ perSecond }) => perSecond),
    0.5,
  );
}
