// Measures the storage that a claim needs, and whether response times reveal which users exist.
//   node service/claims.mjs [--claims 5000] [--pairs 2000] [--markdown]
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { requireFromService } from './of-service.mjs';
import { fingerprintOfNew } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { writeResult } from './results.mjs';
import { command, project, startService } from './service.mjs';

const { SMTPServer } = requireFromService('smtp-server');

const { values } = parseArgs({
  options: {
    claims: { type: 'string', default: '5000' },
    pairs: { type: 'string', default: '2000' },
    markdown: { type: 'boolean', default: false },
  },
});
const count = { claims: numberOf('claims'), pairs: numberOf('pairs') };
const origin = 'https://shop.example';
const unlimited = 1_000_000;
assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-claims-'));
const cluster = await startCluster();
const mailbox = await startMailbox();
let newest = Date.now();
try {
  await query(cluster.url('postgres'), 'create database claims');
  const url = cluster.url('claims');
  const environment = {
    DATABASE_URL: url,
    WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more',
    LOG_LEVEL: 'warn',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'no-reply@shop.example',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const keys = await makeProject(environment);
  const service = await startService({ ...environment, LOG_LEVEL: 'info' }, { logFile: join(folder, 'log') });
  try {
    const post = postTo(service.url);
    const bytes = await measureBytes(url, post, keys);
    const timing = await measureTiming(service.url, post, keys);
    const path = await writeResult('claims', {
      measuredAt: new Date().toISOString(),
      count,
      node: process.version,
      database: `PostgreSQL ${cluster.version}`,
      bytes,
      timing,
    });
    console.log(formatTable(linesOf(bytes, timing), { markdown: values.markdown }));
    console.error(`All results are in ${path}.`);
  } finally {
    await service.stop();
  }
} finally {
  await mailbox.close();
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** @typedef {{ secret: string, publishable: string }} Keys */
/** @typedef {(path: string, key: string, body: object) => Promise<any>} Post */

/** Creates the project with limits that no request reaches. Limits are tested elsewhere. */
async function makeProject(environment) {
  const created = await command(environment, 'project', 'create', '--name', project);
  const [secret, publishable] = [/\bsk_live_\w+/, /\bpk_live_\w+/].map((form) => form.exec(created)?.[0] ?? '');
  const set = (name, value) => command(environment, 'settings', 'set', name, value, '--project', project);
  const rates = { secret_per_second: unlimited, publishable_per_second: unlimited, publishable_burst: unlimited };
  await set('rate_limits', JSON.stringify(rates));
  const perNetwork = { evaluations_per_network: unlimited, codes_per_network: unlimited, tries_per_network: unlimited };
  const perDay = { evaluations_per_day: unlimited, codes_per_day: unlimited, tries_per_day: unlimited };
  await set('claim_limits', JSON.stringify({ ...perNetwork, ...perDay }));
  await set('allowed_origins', JSON.stringify([origin]));
  await set('managed_challenge_page', 'true');
  return { secret, publishable };
}

/** @returns {Post} */
function postTo(url) {
  return async (path, key, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin };
    if (key.startsWith('pk_')) Object.assign(headers, { 'x-forwarded-for': newAddress() });
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

/** Returns an address in a network of its own, because claims and pages are limited by source network. */
function newAddress() {
  newest += 1;
  const [high, low] = [(newest >>> 16) & 0xffff, newest & 0xffff].map((part) => part.toString(16));
  return `2600:${high}:${low}::1`;
}

/** Returns a login as the browser package sends it: the current fingerprint with the saved one. */
function login(user, more = {}) {
  newest += 1;
  const fingerprint = fingerprintOfNew(newest);
  return { action: 'login', user, fingerprint, last_fingerprint: fingerprint, version: '0.1.0', ...more };
}

/** Returns the size of claim rows with their indexes, and of a million evaluations of known devices. */
async function measureBytes(url, post, keys) {
  const size = async (of) => {
    await query(url, 'checkpoint');
    const rows = await query(url, `select ${of} as bytes`);
    return Number(rows[0].bytes);
  };
  const claims = "pg_total_relation_size('claims')";
  const all = 'pg_database_size(current_database())';
  const grown = async (of, times, act) => {
    const from = await size(of);
    for (let n = 0; n < times; n++) await act(n);
    return Math.round(((await size(of)) - from) / times);
  };
  const claim = (more) => () => post('/v2/device/evaluate', keys.publishable, login(randomUUID(), more));
  const typical = await grown(claims, count.claims, claim({ metadata: { page: '/login' } }));
  const fill = await findLargestMetadata(claim);
  const largest = await grown(claims, count.claims, claim(fill));
  const everything = await grown(all, count.claims, claim({ metadata: { page: '/login' } }));
  const known = login('a user', { ip: '198.51.100.7' });
  await post('/v2/device/evaluate', keys.secret, { ...known, action: 'signup' });
  const evaluation = await grown(all, count.claims, () => post('/v2/device/evaluate', keys.secret, known));
  return { typical, largest, everything, evaluation };
}

/** Finds the largest metadata that a claim accepts. */
async function findLargestMetadata(claim) {
  let fill = {};
  for (let length = 10; ; length += 10) {
    const more = { metadata: { page: 'x'.repeat(length) } };
    try {
      await claim(more)();
    } catch {
      return fill;
    }
    fill = more;
  }
}

/**
 * Times pairs of requests, one for an existing user and one for an unknown user, in random order: an evaluation on its
 * own, and one right after a code was requested on the managed page.
 */
async function measureTiming(url, post, keys) {
  const users = Array.from({ length: count.pairs }, (_, n) => `user ${n}`);
  for (const user of users) {
    await post('/v2/device/attach', keys.secret, login(user, { email: `${user.replace(' ', '.')}@shop.example` }));
  }
  const evaluate = async (user) => {
    const body = login(user);
    const begin = performance.now();
    const { challenge_url } = await post('/v2/device/evaluate', keys.publishable, body);
    return { ms: performance.now() - begin, challenge_url };
  };
  const plain = { known: [], unknown: [] };
  const afterSend = { known: [], unknown: [] };
  for (const user of users) {
    const pair = [
      ['known', user],
      ['unknown', `${user} of nobody`],
    ];
    if (Math.random() < 0.5) pair.reverse();
    for (const [kind, name] of pair) {
      const { ms, challenge_url } = await evaluate(name);
      plain[kind].push(ms);
      await requestCode(url, challenge_url);
      afterSend[kind].push((await evaluate(name)).ms);
    }
  }
  return { plain: summaryOf(plain), afterSend: summaryOf(afterSend), mails: mailbox.count() };
}

/** Opens the managed page by its link and requests a code. */
async function requestCode(url, challengeUrl) {
  const { pathname, search } = new URL(challengeUrl);
  const from = { 'x-forwarded-for': newAddress() };
  const entered = await fetch(url + pathname + search, { redirect: 'manual', headers: from });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const html = await (await fetch(url + pathname, { headers: { cookie, ...from } })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ csrf });
  const headers = { cookie, ...from };
  const sent = await fetch(`${url}${pathname}/send`, { method: 'POST', redirect: 'manual', headers, body });
  if (sent.status !== 303) throw new Error(`The page returned ${sent.status} to the request for a code.`);
}

/**
 * Returns the area under the curve: how often the time for a known user exceeds that for an unknown one. 0.5 reveals
 * nothing.
 */
function summaryOf({ known, unknown }) {
  const ranked = [...known.map((ms) => ({ ms, isKnown: true })), ...unknown.map((ms) => ({ ms, isKnown: false }))];
  ranked.sort((a, b) => a.ms - b.ms);
  const rankSum = ranked.reduce((sum, { isKnown }, at) => sum + (isKnown ? at + 1 : 0), 0);
  const auc = (rankSum - (known.length * (known.length + 1)) / 2) / (known.length * unknown.length);
  const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  return { auc, known: median(known), unknown: median(unknown) };
}

function linesOf(bytes, timing) {
  const ms = (value) => `${value.toFixed(2)} ms`;
  const timed = (name, { auc, known, unknown }) => [name, `AUC ${auc.toFixed(3)}`, `${ms(known)} and ${ms(unknown)}`];
  return [
    ['', 'figure', 'detail'],
    ['a claim of a login', `${bytes.typical} bytes`, 'row and index entries'],
    ['a claim of the maximum size', `${bytes.largest} bytes`, 'row and index entries'],
    ['a claim, all tables', `${bytes.everything} bytes`, 'with counters and nonces'],
    [
      'a million evaluations of known devices, all tables',
      `${((bytes.evaluation * 1e6) / 1e9).toFixed(2)} GB`,
      `${bytes.evaluation} bytes each`,
    ],
    timed('response time, user exists or not', timing.plain),
    timed('the same right after a code was requested', timing.afterSend),
  ];
}

/** Starts a mail server that accepts everything. */
async function startMailbox() {
  let mails = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      mails += 1;
      stream.resume();
      stream.once('end', () => done());
    },
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.server.address();
  return {
    url: `smtp://127.0.0.1:${port}`,
    count: () => mails,
    close: () => new Promise((resolve) => server.close(() => resolve(undefined))),
  };
}

/** @param {'claims' | 'pairs'} name */
function numberOf(name) {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number, at least 1.`);
  return value;
}
