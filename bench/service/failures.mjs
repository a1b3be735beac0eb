// Measures the storage that a failed attempt needs.
//   node service/failures.mjs [--attempts 5000] [--markdown]
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { fingerprintOfNew } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { writeResult } from './results.mjs';
import { makeProject, startService } from './service.mjs';

const { values } = parseArgs({
  options: { attempts: { type: 'string', default: '5000' }, markdown: { type: 'boolean', default: false } },
});
const attempts = Number(values.attempts);
if (!Number.isInteger(attempts) || attempts < 1) throw new Error('--attempts must be a whole number, at least 1.');
/** No request reaches them. */
const failure_limits = { stored_per_network: 1_000_000, stored_per_day: 1_000_000 };
const replacedCells = { new_device: 'challenge_and_restrict', new_ip: 'challenge_and_restrict', automation: 'deny' };
/** The rows of evaluations with their index entries, in all partitions. */
const rows = `(select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'evaluations'::regclass)`;
const everything = 'pg_database_size(current_database())';
assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-failures-'));
const cluster = await startCluster();
let newest = Date.now();
try {
  await query(cluster.url('postgres'), 'create database failures');
  const url = cluster.url('failures');
  const environment = { DATABASE_URL: url, WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more' };
  const quiet = { ...environment, LOG_LEVEL: 'warn' };
  const secrets = {
    enforced: await makeProject(quiet, { name: 'enforced', settings: { failure_limits } }),
    observed: await makeProject(quiet, { name: 'observed', settings: { failure_limits, mode: 'observe' } }),
    replaced: await makeProject(quiet, {
      name: 'replaced',
      settings: { failure_limits, policy: { login: replacedCells } },
    }),
  };
  const service = await startService({ ...environment, LOG_LEVEL: 'info' }, { logFile: join(folder, 'log') });
  try {
    const bytes = await measure(url, service.url, secrets);
    const path = await writeResult('failures', {
      measuredAt: new Date().toISOString(),
      attempts,
      node: process.version,
      database: `PostgreSQL ${cluster.version}`,
      bytes,
    });
    console.log(formatTable(linesOf(bytes), { markdown: values.markdown }));
    console.error(`All results are in ${path}.`);
  } finally {
    await service.stop();
  }
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** Returns bytes for each attempt: as a page sends one, with the longest fields, and the longest row that is stored. */
async function measure(url, base, secrets) {
  const size = async (of) => {
    await query(url, 'checkpoint');
    return Number((await query(url, `select ${of} as bytes`))[0].bytes);
  };
  const send = async (more, secret) => {
    newest += 1;
    const ip = `198.18.${(newest >>> 8) & 0xff}.${newest & 0xff}`;
    const body = { action: 'login', user: randomUUID(), outcome: 'failed', ip, ...more };
    await call(base, secret, '/v2/device/evaluate', body);
  };
  const grown = async (more, secret = secrets.enforced) => {
    const from = [await size(rows), await size(everything)];
    for (let n = 0; n < attempts; n++) await send(more(), secret);
    const to = [await size(rows), await size(everything)];
    return { row: perAttempt(from[0], to[0]), all: perAttempt(from[1], to[1]) };
  };
  const typical = await grown(() => ({ fingerprint: fingerprintOfNew(newest), user_agent: 'x'.repeat(120) }));
  const largest = await grown(() => ({
    fingerprint: 'x'.repeat(4096),
    last_fingerprint: 'y'.repeat(4096),
    version: 'x'.repeat(64),
    user_agent: randomUUID().repeat(56),
    metadata: { note: randomUUID().repeat(400) },
  }));
  // A user who exists is named in the row, and many signs are reported.
  const user = randomUUID().repeat(8).slice(0, 256);
  await call(base, secrets.enforced, `/v2/user/${user}/update`, { email: 'ann@example.com' });
  const worstOf = (user, action) => () => ({
    user,
    action,
    fingerprint: fingerprintOfNew(newest).replace(/....$/, '____'),
    user_agent: randomUUID().repeat(4),
    ip: `8.${(newest >>> 16) & 0xff}.${(newest >>> 8) & 0xff}.${newest & 0xff}`,
    email: 'ann@mailinator.com',
  });
  const longest = await grown(worstOf(randomUUID(), 'login'));
  const observed = await grown(worstOf(randomUUID(), 'login'), secrets.observed);
  const replaced = await grown(worstOf(randomUUID(), 'login'), secrets.replaced);
  const longestOfUser = await grown(worstOf(user, `a${randomUUID().replaceAll('-', '_').repeat(2)}`.slice(0, 64)));
  return { typical, largest, longest, observed, replaced, longestOfUser };
}

async function call(base, secret, path, body) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

function perAttempt(from = 0, to = 0) {
  return Math.round((to - from) / attempts);
}

function linesOf({ typical, largest, longest, observed, replaced, longestOfUser }) {
  const line = (name, bytes) => [name, `${bytes} bytes`, `${((bytes * 1e6) / 1e9).toFixed(2)} GB`];
  return [
    ['', 'each', 'a million'],
    line('a failed attempt', typical.row),
    line('a failed attempt with the longest fields that the API accepts', largest.row),
    line('the longest row that an attacker can cause: many reasons, an address that is known', longest.row),
    line('the same in observe mode', observed.row),
    line('the same with a policy of your own', replaced.row),
    line('the same with your own longest values: a user ID of 256 characters, an action of 64', longestOfUser.row),
    line('a failed attempt, all tables, with the counters that are kept for 2 days', typical.all),
  ];
}
