// The records that the benchmark of the dashboard adds to the population, so that its pages have something to show.
import { idAt, userOf } from './population.mjs';
import { query } from './postgresql.mjs';

const busyEvaluations = 10_000;

/**
 * Returns the numbers of two devices whose ids, and those of their user, browser and challenge, have the service's format. The
 * ids of the population are arbitrary 128-bit values.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {number} devices Number of devices.
 * @returns {Promise<[busy: number, usual: number]>}
 */
export async function devicesWithIds({ url, worldId }, devices) {
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
 * @param {{ evaluations: number, devices: number, busy: number }} numbers `busy`: number of that device.
 */
export async function fillEvaluations({ url, worldId }, { evaluations, devices, busy }) {
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

/**
 * Gives all users the sealed email address of one, so that the page of its domain finds all of them.
 *
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {string} url Of the service.
 */
export async function giveEmailToAll({ url: database, key, worldId }, url) {
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
export async function hardwareOf({ url, worldId }, n) {
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
