// Measures how long the dashboard's pages take with a million evaluations.
//   node service/dashboard.mjs [--evaluations 1000000] [--devices 100000] [--views 20] [--markdown]
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { devicesWithIds, fillEvaluations, giveEmailToAll, hardwareOf } from './dashboard-data.mjs';
import { pagesOf } from './dashboard-pages.mjs';
import { waitUntilCounted } from './hourly-counts.mjs';
import { addressOf, fingerprintOf, userOf } from './population.mjs';
import { query, startCluster } from './postgresql.mjs';
import { writeResult } from './results.mjs';
import { startService } from './service.mjs';
import { makeWorld } from './world.mjs';

const text = (/** @type {string} */ value) => ({ type: /** @type {const} */ ('string'), default: value });
const { values } = parseArgs({
  options: {
    evaluations: text('1000000'),
    devices: text('100000'),
    views: text('20'),
    markdown: { type: 'boolean', default: false },
  },
});
const [evaluations, devices, views] = [Number(values.evaluations), Number(values.devices), Number(values.views)];
const password = 'password of the benchmark';

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-dashboard-'));
const cluster = await startCluster();
try {
  logProgress(`Filling ${evaluations} evaluations of ${devices} devices`);
  const world = await makeWorld(cluster, 'dashboard', { devices, accesses: 0 });
  const [busy, usual] = await devicesWithIds(world, devices);
  await fillEvaluations(world, { evaluations, devices, busy });
  const rows = await withService(world, async (visit) => {
    const seconds = await waitUntilCounted(world.url);
    logProgress(`Hourly counts complete ${seconds.toFixed(0)} s after the start. Loading each page ${views} times`);
    const counting = { title: 'hourly counts of all evaluations, in the background', median: seconds * 1000 };
    const timed = [];
    for (const { title, path, fields } of pagesOf(await idsOf(world, visit, { busy, usual }))) {
      timed.push({ title, ...(await time(visit, path, views, fields)) });
    }
    return [...timed, ...(await timeActions(world, visit)), counting];
  });
  const path = await writeResult('dashboard', {
    measuredAt: new Date().toISOString(),
    evaluations,
    devices,
    views,
    node: process.version,
    database: `PostgreSQL ${cluster.version}`,
    rows,
  });
  const lines = rows.map(({ title, median, longest }) => [title, formatNumber(median), formatNumber(longest)]);
  console.log(formatTable([['page', 'median, ms', 'longest, ms'], ...lines], { markdown: values.markdown }));
  console.error(`All results are in ${path}.`);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/** @param {string} sentence */
function logProgress(sentence) {
  console.error(`${process.uptime().toFixed(0)} s: ${sentence}`);
}

/** @typedef {Record<string, string> | readonly (readonly [string, string])[]} Fields */
/** @typedef {{ go: (path: string, fields?: Fields) => Promise<Response>, url: string }} Visit */

/**
 * Runs an action as an administrator who is signed in to the project's live world.
 *
 * @template Value
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {(visit: Visit) => Promise<Value>} act
 */
async function withService(world, act) {
  const logFile = join(folder, 'service.log');
  const service = await startService(world.environment, { logFile });
  try {
    return await act(await signIn(service.url, world, readFileSync(join(folder, 'set-up-link.txt'), 'utf8')));
  } finally {
    await service.stop();
  }
}

/** @param {string} url @param {import('./world.mjs').World & { url: string }} world @param {string} link @returns {Promise<Visit>} */
async function signIn(url, world, link) {
  const cookies = new Map();
  let csrf = '';
  const go = async (/** @type {string} */ path, /** @type {Fields | undefined} */ fields) => {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const entries = fields && (Array.isArray(fields) ? fields : Object.entries(fields));
    const form = entries && { method: 'POST', body: new URLSearchParams([['csrf', csrf], ...entries]) };
    const response = await fetch(url + path, { ...form, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const body = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? csrf;
    if (response.status >= 400) throw new Error(`${path} returned ${response.status}`);
    return response;
  };
  const email = 'bench@example.com';
  const token = /set-up\?token=([\w-]+)/.exec(link)?.[1];
  if (!token) throw new Error('The service wrote no link for creating an administrator.');
  await go(`/dashboard/set-up?token=${token}`);
  await go('/dashboard/set-up');
  await go('/dashboard/set-up', { email, password });
  const [row] = await query(world.url, 'select project_id from worlds where id = $1', [world.worldId]);
  // For a CSRF token. The overview needs the hourly counts, which are not complete yet.
  await go(`/dashboard/${row?.project_id}/live/settings`);
  return { url, go: (path, fields) => go(`/dashboard/${row?.project_id}/live/${path}`, fields) };
}

/** @param {import('./world.mjs').World & { url: string }} world @param {Visit} visit @param {{ busy: number, usual: number }} devices @returns {Promise<import('./dashboard-pages.mjs').Ids>} */
async function idsOf(world, { url }, { busy, usual }) {
  const made = await fetch(`${url}/v2/device/evaluate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      action: 'login',
      user: userOf(usual),
      fingerprint: fingerprintOf(usual),
      ip: addressOf(usual),
    }),
  });
  await giveEmailToAll(world, url);
  const of = async (/** @type {string} */ column, /** @type {number} */ n) => {
    const [row] = await query(
      world.url,
      `select user_id, id, identity_id, (select id from challenges c where c.device_id = d.id limit 1) as challenge
        from devices d where id = md5($1 || ' device ' || $2)::uuid`,
      [world.worldId, String(n)],
    );
    return String(row?.[column]);
  };
  return {
    user: await of('user_id', usual),
    busyUser: await of('user_id', busy),
    device: await of('id', usual),
    busyDevice: await of('id', busy),
    challenge: await of('challenge', usual),
    evaluation: (await made.json()).evaluation_id,
    address: addressOf(usual),
    hardware: await hardwareOf(world, usual),
    fingerprint: await of('identity_id', usual),
  };
}

/**
 * @param {Visit} visit
 * @param {string} path
 * @param {number} times
 * @param {Record<string, string>} [fields]
 * @returns {Promise<{ median: number, longest: number }>} In ms.
 */
async function time({ go }, path, times, fields) {
  const all = [];
  for (let view = 0; view < times; view++) {
    const start = performance.now();
    await go(path, fields);
    all.push(performance.now() - start);
    // Pages have a rate limit per second.
    await pause(20);
  }
  all.sort((one, other) => one - other);
  return { median: Number(all[Math.floor(all.length / 2)]), longest: Number(all.at(-1)) };
}

/**
 * Measures actions on as many rows as a page selects, once each.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {Visit} visit
 */
async function timeActions(world, { go }) {
  // Random IDs of the population are seldom valid ones.
  const users = await query(
    world.url,
    "select id from users where world_id = $1 and id::text ~ '^.{14}[1-8].{4}[89ab]' limit 500",
    [world.worldId],
  );
  const id = randomUUID();
  const selected = users.map((user) => /** @type {const} */ (['id', String(user.id)]));
  /** @type {Fields} */
  const fields = [['source', 'users'], ['action', 'suspend'], ['confirmed', id], ...selected];
  const timeOnce = async (/** @type {string} */ title, /** @type {() => Promise<unknown>} */ act) => {
    const startedAt = performance.now();
    await act();
    return { title, median: performance.now() - startedAt };
  };
  const suspended = async () => {
    const [row] = await query(world.url, "select count(*)::int as count from users where status = 'suspended'");
    return row?.count;
  };
  const rows = [await timeOnce(`suspending ${users.length} users`, () => go('actions', fields))];
  if ((await suspended()) !== users.length) throw new Error('The action did not suspend all users.');
  rows.push(await timeOnce('undoing that', () => go(`actions/${id}/undo`, {})));
  if ((await suspended()) !== 0) throw new Error('Undoing the action left suspended users.');
  return rows;
}
