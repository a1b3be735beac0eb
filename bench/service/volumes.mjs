// Measures what many evaluations cost: bytes of each, response times beside a small database, and the removal of a month.
//   node service/volumes.mjs [--devices 1000000] [--evaluations 10000000] [--rate 60] [--seconds 60] [--markdown]
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dropPartitions, openDatabase } from '../../service/dist/testing.js';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { insertCopies } from './copies.mjs';
import { startLoad } from './load-process.mjs';
import { createMeasure, medianOf } from './measure.mjs';
import { fingerprintOfNew, idAt } from './population.mjs';
import { makeCluster, query, withClient } from './postgresql.mjs';
import { mixed } from './requests.mjs';
import { writeResult } from './results.mjs';
import { startService } from './service.mjs';
import { makeWorld, sizes } from './world.mjs';

/** @typedef {import('./world.mjs').World & { url: string }} World */
/** @typedef {import('./measure.mjs').Target} Target */

const number = (/** @type {string} */ value) => ({ type: /** @type {const} */ ('string'), default: value });
const { values } = parseArgs({
  options: {
    devices: number('1000000'),
    evaluations: number('10000000'),
    rate: number('60'),
    seconds: number('60'),
    markdown: { type: 'boolean', default: false },
  },
});
const [devices, evaluations, rate, seconds] = [values.devices, values.evaluations, values.rate, values.seconds].map(
  Number,
);
const path = '/v2/device/evaluate';
const rounds = 6;
/** Evaluations over HTTP, of which the others are copies. */
const templates = 500;
const days = 100;
/** A public address of a network that the service knows. */
const publicAddress = '84.1.2.3';
const privateAddress = '10.1.2.3';
/** What an operator of such a database would set first. The rest are PostgreSQL's defaults. */
const settings = { shared_buffers: '2GB', max_wal_size: '8GB' };

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-volumes-'));
const cluster = makeCluster(mkdtempSync(join(tmpdir(), 'whorl-bench-')), { settings, isTemporary: true });
const pid = await cluster.start();
const load = startLoad();
const measure = createMeasure(load);
/** @type {import('./service.mjs').Running[]} */
const running = [];
try {
  const small = await startTarget('small', sizes.small);
  logProgress(`Filling ${devices} devices`);
  const large = await startTarget('large', { devices, accesses: 0 });
  logProgress(`Filling ${evaluations} evaluations`);
  const fillSeconds = await fill(large);
  const sizeRows = await bytesOf(large.world);
  logProgress('Waiting until the database is idle');
  await measure.waitUntilIdle(pid);
  for (const { target } of [small, large]) await measure.warmUp(target);
  logProgress('Alternating between the two databases');
  const targets = [small.target, large.target].map((target) => ({ ...target, rate }));
  const measured = await measure.measureAlternating(targets, { seconds, rounds });
  logProgress('Removing a month under load');
  const removal = await removeUnderLoad(large);
  const addressBytes = await bytesOfAddress(small);
  const result = { devices, evaluations, fillSeconds, sizeRows, addressBytes, measured, removal };
  const file = await writeResult('volumes', {
    measuredAt: new Date().toISOString(),
    node: process.version,
    database: `PostgreSQL ${await cluster.version()}`,
    settings,
    rate,
    ...result,
  });
  console.log(formatTable(linesOf(result), { markdown: values.markdown }));
  console.error(`All results are in ${file}.`);
} finally {
  load.stop();
  for (const { stop } of running) await stop();
  await cluster.stop('fast');
  await rm(folder, { recursive: true });
}

/** @param {string} sentence */
function logProgress(sentence) {
  console.error(`${process.uptime().toFixed(0)} s: ${sentence}`);
}

/** @param {string} name @param {import('./world.mjs').Size} size @returns {Promise<{ world: World, target: Target }>} */
async function startTarget(name, size) {
  const world = await makeWorld(cluster, name, size);
  const service = await startService(world.environment, { logFile: join(folder, `${name}.log`) });
  running.push(service);
  const common = { name, url: service.url, path, pid: service.pid, mix: mixed, databasePid: pid };
  return { world, target: { ...common, key: world.key, devices: size.devices } };
}

/**
 * Adds copies of evaluations that were made over HTTP, with the load's mix of kinds, spread over all devices and the last
 * 100 days. Returns the seconds.
 *
 * @param {{ world: World, target: Target }} large
 */
async function fill({ world: { url, worldId }, target }) {
  await measure.run(target, { rate: 50, seconds: templates / 50 });
  const id = (/** @type {string} */ kind, /** @type {string} */ n) => `md5('${worldId} ${kind} ' || ${n})::uuid`;
  const address = `'10.' || (n >> 16 & 255) || '.' || (n >> 8 & 255) || '.' || (n & 255)`;
  /** @type {Record<string, string>} */
  const own = {
    id: idAt('at', id('evaluation', 'e')),
    user_id: id('user', 'n / 2'),
    external_user: `'user-' || n / 2`,
    user_index: 'null',
    device_id: id('device', 'n'),
    identity_id: id('identity', 'n'),
    variant_id: id('variant', 'n'),
    ip: address,
    network: address,
    challenge_id: 'null',
    created_at: 'at',
  };
  const insert = await insertCopies(url, 't', own);
  const startedAt = performance.now();
  await withClient(url, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    await client.query(
      'create table templates as select *, row_number() over (order by id) - 1 as at_row from evaluations',
    );
    await client.query(
      `${insert}
        from (select e, hashint8(e) & 2147483647 as h,
          now() - interval '${days} days' * (1 - (e + 1)::float / ${evaluations + 2}) as at
          from generate_series(0, ${evaluations - 1}) e) of_time
        cross join lateral (select h % ${devices} as n) of_device
        join templates t on t.at_row = h % (select count(*) from templates)`,
    );
    await client.query('drop table templates');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  });
  return (performance.now() - startedAt) / 1000;
}

/**
 * Returns the bytes of an evaluation by where they are: its row, values stored apart from it, and each index.
 *
 * @param {World} world
 * @returns {Promise<{ title: string, bytes: number }[]>}
 */
async function bytesOf({ url }) {
  const parts = `select inhrelid as part from pg_inherits where inhparent = 'evaluations'::regclass`;
  const [total] = await query(url, 'select count(*)::int as count from evaluations');
  const rows = await query(
    url,
    `select 'row' as title, sum(pg_relation_size(part))::bigint as bytes, 0 as place from (${parts}) p
      union all select 'values stored apart', sum(pg_table_size(part) - pg_relation_size(part))::bigint, 1 from (${parts}) p
      union all select regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'index '),
        sum(pg_relation_size(i.indexrelid))::bigint, 2
        from (${parts}) p join pg_index i on i.indrelid = part group by 1
      order by place, bytes desc`,
  );
  return rows.map(({ title, bytes }) => ({ title: String(title), bytes: Number(bytes) / Number(total?.count) }));
}

/**
 * Returns how many bytes more a row has if its address is public, because something is known about it.
 *
 * @param {{ world: World, target: Target }} small
 */
async function bytesOfAddress({ world, target }) {
  const size = async (/** @type {string} */ ip, /** @type {number} */ device) => {
    const body = { action: 'login', user: randomUUID(), fingerprint: fingerprintOfNew(device), ip };
    const response = await fetch(target.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const { evaluation_id } = await response.json();
    // Only where the facts are: findings and risk differ between two devices for other reasons.
    const facts = 'coalesce(pg_column_size(address), 0) + pg_column_size(request)';
    const select = `select (${facts})::int as bytes from evaluations where id = $1`;
    return Number((await query(world.url, select, [evaluation_id]))[0]?.bytes);
  };
  return (await size(publicAddress, devices + 1)) - (await size(privateAddress, devices + 2));
}

/**
 * Removes the oldest month of evaluations while requests arrive, and compares with the same time without.
 *
 * @param {{ world: World, target: Target }} large
 */
async function removeUnderLoad({ world: { url }, target }) {
  const database = await openDatabase({ kind: 'postgresql', url });
  try {
    const [oldest] = await query(
      url,
      `select date_trunc('month', min(created_at), 'UTC') as month, count(*)::int as rows from evaluations
        where tableoid <> 'evaluations_default'::regclass
        group by tableoid having count(*) > 0 order by 1 limit 1`,
    );
    if (!(oldest?.month instanceof Date)) throw new Error('No month of evaluations is complete.');
    const { month } = oldest;
    const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
    // Empty months from before it, which a service in use has dropped one by one.
    await dropPartitions(database.db, 'evaluations', month);
    const pressure = { rate, seconds: 10 };
    const without = await measure.run(target, pressure);
    const loaded = measure.run(target, pressure);
    const startedAt = performance.now();
    const dropped = await dropPartitions(database.db, 'evaluations', next);
    const removalSeconds = (performance.now() - startedAt) / 1000;
    const during = await loaded;
    if (dropped.length !== 1) throw new Error(`${dropped.length} months were dropped instead of one.`);
    return { rows: Number(oldest.rows), seconds: removalSeconds, without, during };
  } finally {
    await database.close();
  }
}

/**
 * @param {{ sizeRows: { title: string, bytes: number }[], addressBytes: number, measured: import('./measure.mjs').Measured[], fillSeconds: number,
 *   removal: { rows: number, seconds: number, without: import('./load.mjs').Outcome, during: import('./load.mjs').Outcome } }} result
 */
function linesOf({ sizeRows, addressBytes, measured, removal, fillSeconds }) {
  const p50 = (/** @type {string} */ name) => medianOf(measured, name, ({ ms }) => ms.p50);
  const p99 = (/** @type {string} */ name) => medianOf(measured, name, ({ ms }) => ms.p99);
  const failed = [...measured, removal.without, removal.during].reduce((sum, one) => sum + one.failed, 0);
  const total = sizeRows.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    [`${formatNumber(devices)} devices, ${formatNumber(evaluations)} evaluations`, ''],
    ['seconds to fill them', formatNumber(fillSeconds)],
    ...sizeRows.map(({ title, bytes }) => [`bytes of an evaluation: ${title}`, formatNumber(bytes)]),
    ['bytes of an evaluation: all', formatNumber(Math.round(total))],
    ['what is known about a public address takes more', formatNumber(addressBytes)],
    ['p50, small database, ms', formatNumber(p50('small'))],
    ['p50, large database, ms', formatNumber(p50('large'))],
    ['ratio of the two', (p50('large') / p50('small')).toFixed(2)],
    ['p99, small database, ms', formatNumber(p99('small'))],
    ['p99, large database, ms', formatNumber(p99('large'))],
    [`removal of a month with ${formatNumber(removal.rows)} evaluations, ms`, formatNumber(removal.seconds * 1000)],
    ['longest request without it, ms', formatNumber(removal.without.ms.max)],
    ['longest request during it, ms', formatNumber(removal.during.ms.max)],
    ['failed requests', formatNumber(failed)],
  ];
}
