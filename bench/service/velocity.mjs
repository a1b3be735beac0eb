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
const { cells, estimateDistinct, openDatabase, slotOf, statement } = service;
const countEvaluation = statement()`${service.countEvaluation}`;
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
    const single = medianOf(contention, 'one row per subject');
    console.log(
      formatTable(
        [
          ['16 writers, transactions per second', 'median', 'of no counting', 'of one row'],
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

/** Returns the values for counting one evaluation. Subjects of other kinds than `shared` differ for each. */
function evaluationOf(worldId, shards, subjects = subjectsOf()) {
  const cell = () => Math.floor(Math.random() * cells);
  return {
    ...{ worldId, slot: slotOf(new Date()), kinds, subjects },
    shards: kinds.map((kind) => (shared.includes(kind) ? shards : 1)),
    ...{ failures: Math.round(Math.random()), signups: 0 },
    ...{ userCell: cell(), deviceCell: cell(), countryCell: 84 },
  };
}

function subjectsOf() {
  return kinds.map((kind) => (shared.includes(kind) ? Buffer.alloc(16, kind) : randomBytes(16)));
}

/** Measures transactions that insert a row of an evaluation's size, and count in different ways. */
async function measureContention(db, worldId) {
  const ways = [
    ['no counting', undefined],
    ['one row per subject', 1],
    ['16 rows per busy subject', 16],
  ];
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, shards] of ways) {
      measured.push({ name, perSecond: await run(db, worldId, shards) });
    }
  }
  return measured;
}

async function run(db, worldId, shards) {
  let done = 0;
  const end = performance.now() + seconds * 1000;
  const write = async () => {
    while (performance.now() < end) {
      await db.transaction().execute(async (trx) => {
        await sql`insert into things values (${randomUUID()}, ${randomBytes(1500)})`.execute(trx);
        if (shards !== undefined) await countEvaluation(trx, evaluationOf(worldId, shards));
      });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return done / seconds;
}

/** Measures reading after a busy day: 16 evaluations per second of the shared subjects. */
async function measureReading(db, worldId, url) {
  await query(url, 'truncate velocity_counts');
  const now = new Date();
  const fill = `insert into velocity_counts
    select $1, k, decode(repeat(encode(convert_to(k, 'UTF8'), 'hex'), 16), 'hex'), s, n, 300, 30, 1,
      repeat('01', 256)::bit(512), repeat('01', 256)::bit(512), repeat('01', 256)::bit(512), 0::bit(676)
    from unnest($2::text[]) k, generate_series($3::timestamptz, $4::timestamptz, $5::interval) s,
      generate_series($6::int, $7::int) n`;
  const slot = slotOf(now);
  const hours = (count) => new Date(slot.getTime() - count * 3_600_000);
  const keys = kinds.map((kind) => Buffer.from(kind.repeat(16)));
  const times = async (name) => {
    const question = {
      ...{ worldId, kinds, subjects: keys },
      ...{ fiveMinutes: new Date(slot.getTime() - 300_000), hour: hours(1), day: hours(24) },
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
  await query(url, fill, [worldId, kinds, slot, slot, '1 hour', 0, 0]);
  await query(url, 'analyze velocity_counts');
  result.push(await times('seen once'));
  await query(url, fill, [worldId, shared, hours(24), hours(3), '1 hour', -1, -1]);
  await query(url, fill, [worldId, shared, hours(2), new Date(slot.getTime() - 300_000), '5 minutes', 0, 0]);
  await query(url, 'analyze velocity_counts');
  result.push(await times('4 of them with 1 evaluation per second'));
  await query(url, fill, [worldId, shared, new Date(slot.getTime() - 600_000), slot, '5 minutes', 1, 15]);
  await query(url, 'analyze velocity_counts');
  result.push(await times('4 of them with 16 evaluations per second'));
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
    return [String(count), standard.toFixed(1), `${((100 * standard) / count).toFixed(1)} %`, String(largest)];
  });
}

function medianOf(all, name) {
  return quantile(
    all.filter((one) => one.name === name).map(({ perSecond }) => perSecond),
    0.5,
  );
}
