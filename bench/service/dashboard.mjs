// Measures how long the dashboard's pages take with a million evaluations.
//   node service/dashboard.mjs [--evaluations 1000000] [--devices 100000] [--views 20] [--markdown]
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { pagesOf } from './dashboard-pages.mjs';
import { waitUntilCounted } from './hourly-counts.mjs';
import { addressOf, fingerprintOf, idAt, userOf } from './population.mjs';
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
const busyEvaluations = 10_000;
const password = 'password of the benchmark';

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-dashboard-'));
const cluster = await startCluster();
try {
  logProgress(`Filling ${evaluations} evaluations of ${devices} devices`);
  const world = await makeWorld(cluster, 'dashboard', { devices, accesses: 0 });
  const [busy, usual] = await devicesWithIds(world);
  await fillEvaluations(world, busy);
  const rows = await withService(world, async (visit) => {
    const seconds = await waitUntilCounted(world.url);
    logProgress(`Hourly counts complete ${seconds.toFixed(0)} s after the start. Loading each page ${views} times`);
    const counting = { title: 'hourly counts of all evaluations, in the background', median: seconds * 1000 };
    const timed = [];
    for (const { title, path, fields } of pagesOf(await idsOf(world, visit, { busy, usual }))) {
      timed.push({ title, ...(await time(visit, path, views, fields)) });
    }
    return [...timed, counting];
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

/**
 * Returns the numbers of two devices whose ids, and those of their user, browser and challenge, have the service's format. The
 * ids of the population are arbitrary 128-bit values.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @returns {Promise<[busy: number, usual: number]>}
 */
async function devicesWithIds({ url, worldId }) {
  const isId = (/** @type {string} */ kind, /** @type {string} */ n) =>
    `md5('${worldId} ${kind} ' || ${n})::uuid::text ~ '^.{14}[1-8].{4}[89ab]'`;
  const rows = await query(
    url,
    `select n from generate_series(0, ${devices - 1}) n
      where ${isId('user', 'n / 2')} and ${isId('device', 'n')} and ${isId('identity', 'n')}
        and ${isId('challenge', 'n')} limit 2`,
  );
  if (rows.length < 2) throw new Error('There are too few devices. Increase --devices.');
  return [Number(rows[0]?.n), Number(rows[1]?.n)];
}

/**
 * Adds evaluations over 100 days, with all kinds of verdicts and reasons. 10,000 of them belong to one device, to give
 * it a long history.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {number} busy Number of that device.
 */
async function fillEvaluations({ url, worldId }, busy) {
  const id = (/** @type {string} */ kind, /** @type {string} */ n) => `md5('${worldId} ${kind} ' || ${n})::uuid`;
  const address = `'10.' || (n >> 16 & 255) || '.' || (n >> 8 & 255) || '.' || (n & 255)`;
  const facts = `jsonb_build_object('asn', 64496 + (n % 500 + 1) * (e % 50021 <> 0)::int, 'organisation', 'Example network ' || n % 500,
    'country', case when e % 50021 = 0 then 'IS' when n % 5 < 3 then 'DE' else 'US' end, 'sources', '{"country":"example"}'::jsonb)`;
  const challenged = JSON.stringify({ reason: 'new_device', effect: 'challenge' });
  const shadowed = JSON.stringify({
    reason: 'rule',
    rule: 'In shadow',
    effect: 'deny',
    excused: { by: ['shadow'], left: 'report' },
  });
  await query(
    url,
    `insert into evaluations (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, verdict,
        reasons, findings, decisions, request, ip, network, address, confidence, matched_by, changed, accepted, claimed, created_at)
      select ${idAt('at', id('evaluation', 'e'))}, '${worldId}', ${id('user', 'n / 2')}, 'user-' || n / 2, ${id('device', 'n')},
        ${id('identity', 'n')}, ${id('variant', 'n')}, 'login',
        case when e % 1009 = 0 then 'deny' when e % 97 = 0 then 'restrict' when e % 11 = 0 then 'challenge' else 'allow' end,
        (case when e % 1009 = 0 then '["blocked"]' when e % 50021 = 0 then '["self_referral"]' when e % 97 = 0
          then '["velocity","new_ip"]' when e % 11 = 0 then '["new_device","new_ip"]' else '[]' end)::jsonb,
        '[]', (case when e % 101 = 0 then '[${shadowed}]' when e % 11 = 0 then '[${challenged}]' else '[]' end)::jsonb,
        decode(repeat(md5(n::text), 20), 'hex'), ${address}, ${address}, ${facts}, 1, 'exact', '[]', e % 11 > 0, false,
        at
      from (select e, now() - interval '100 days' * (e::float / ${evaluations}) as at, case when e % ${Math.max(1, Math.floor(evaluations / busyEvaluations))} = 0 then ${busy}
        else e % ${devices} end as n from generate_series(0, ${evaluations - 1}) e) of_devices`,
  );
  // In the population, all devices were last seen at the same time, which never happens in real lists.
  await query(
    url,
    `update devices set last_seen_at = now() - interval '30 days' * random() where world_id = '${worldId}'`,
  );
  await query(
    url,
    `update challenges c set created_at = t.at, completed_at = t.at + interval '40 seconds', expires_at = t.at + interval '1 day'
      from (select world_id, id, now() - interval '100 days' * random() as at from challenges) t
      where t.world_id = c.world_id and t.id = c.id`,
  );
  await query(
    url,
    `insert into reviews (world_id, evaluation_id, user_id, cause, verdict, score, created_at)
      select world_id, id, user_id, 'verdict', verdict, 0, created_at from evaluations where verdict in ('restrict', 'deny')`,
  );
  await query(url, 'vacuum (analyze)');
}

/** @typedef {{ go: (path: string, fields?: Record<string, string>) => Promise<Response>, url: string }} Visit */

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
  const go = async (/** @type {string} */ path, /** @type {Record<string, string> | undefined} */ fields) => {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const form = fields && { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) };
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
 * Gives all users the sealed email address of one, so that the page of its domain finds all of them.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {string} url Of the service.
 */
async function giveEmailToAll({ url: database, key, worldId }, url) {
  await fetch(`${url}/v2/user/${userOf(0)}/update`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com' }),
  });
  await query(
    database,
    `update users set email = (select email from users where world_id = $1 and email is not null limit 1) where world_id = $1`,
    [worldId],
  );
  await query(database, 'vacuum (analyze) users');
}

/**
 * Returns the ID of a device's hardware, which only evaluations with `hardware_id` would store.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {number} n Number of the device.
 * @returns {Promise<string>}
 */
async function hardwareOf({ url, worldId }, n) {
  const id = '0195e2c4-7c1a-7b3e-9f00-0123456789ab';
  await query(
    url,
    `insert into crowds (world_id, hardware_key, hardware_id, shard, devices)
      select v.world_id, v.hardware_key, $3, 99, 0 from devices d
      join variants v on v.world_id = d.world_id and v.id = d.variant_id
      where d.world_id = $1 and d.id = md5($1 || ' device ' || $2)::uuid`,
    [worldId, String(n), id],
  );
  return id;
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
