/**
 * The devices of the load, as rules that SQL and JavaScript share: device number n has the same fingerprint in both.
 * Each group of fifty devices shares its hardware, like devices of one model.
 */
import { createHash } from 'node:crypto';

const devicesPerModel = 50;
const md5 = (text) => createHash('md5').update(text).digest('hex');

/** Returns the fingerprint of device number n. */
export function fingerprintOf(n) {
  return fingerprint(modelOf(n), n);
}

/** Returns the same device after a browser update, which changes its last software facet, `surface`. */
export function fingerprintOfUpdated(n, update) {
  return fingerprint(modelOf(n), n, md5(`update ${update}`).slice(0, 4));
}

/**
 * Returns the fingerprint of a device outside the population, of the same model as device number `alike`, or of no
 * known model.
 */
export function fingerprintOfNew(n, alike) {
  return fingerprint(alike === undefined ? `new hardware ${n}` : modelOf(alike), n);
}

function modelOf(n) {
  return `hardware ${Math.floor(n / devicesPerModel)}`;
}

function fingerprint(model, n, surface = md5(`more ${n}`).slice(0, 4)) {
  const software = `${md5(`software ${n}`)}${surface}`;
  return `w1.dlc156.${md5(model).slice(0, 28)}.${software}.${md5(`setting ${n}`).slice(0, 20)}.AAAA`;
}

/** Returns the address of device number n. Only network 10 belongs to the population. */
export function addressOf(n, network = 10) {
  return `${network}.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** Returns the user of device number n. Each user has two devices. */
export function userOf(n) {
  return `user-${Math.floor(n / 2)}`;
}

const facetAt = (/** @type {string} */ group, /** @type {number} */ index) => `substr(${group}, ${index * 4 + 1}, 4)`;

/**
 * Returns the SQL of a fingerprint's other keys: what service/src/recognition/linking/rules/group-keys.ts computes for a Chromium
 * on Linux.
 *
 * @param {{ hardware: string, software: string, setting: string }} groups SQL for the digests of each group.
 * @returns {string[]} SQL for `software_key`, `frame_key` and `settled_key`.
 */
export function groupKeyColumns({ hardware, software, setting }) {
  const of = (/** @type {string} */ group, /** @type {number[]} */ at) => at.map((index) => facetAt(group, index));
  const fonts = of(software, [4]);
  const members = {
    software: [...of(software, [2, 3]), ...fonts, ...of(software, [5, 7])],
    frame: [...of(hardware, [1, 2, 5]), ...fonts, ...of(setting, [0, 2])],
    settled: [...of(hardware, [0, 1, 2, 3, 4, 5]), ...of(setting, [0, 2, 3])],
  };
  return Object.entries(members).map(([name, facets]) => {
    const text = `'${name}.Linux.Chromium.' || ${facets.join(` || '.' || `)}`;
    return `('x' || encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;
  });
}

/**
 * Fills a world directly in the database: devices that are attached and trusted at their addresses, and their accesses
 * over the last 100 days. With `isBare`, only users, identities, fingerprints and devices.
 */
export async function fillWorld(client, worldId, { devices, accesses, isBare = false }) {
  const id = (kind, n) => `md5('${worldId} ${kind} ' || ${n})::uuid`;
  const address = `'10.' || (n >> 16 & 255) || '.' || (n >> 8 & 255) || '.' || (n & 255)`;
  const hardware = `substr(md5('hardware ' || n / ${devicesPerModel}), 1, 28)`;
  const [software, setting] = [`md5('software ' || n) || md5('more ' || n)`, `md5('setting ' || n)`];
  const fingerprint = `'w1.dlc156.' || ${hardware} || '.' || substr(${software}, 1, 36)
    || '.' || substr(${setting}, 1, 20) || '.AAAA'`;
  // As the service computes it from the first six hardware facets: four characters each.
  const hardwareKey = `'Linux.Chromium.' || ${[1, 5, 9, 13, 17, 21].map((at) => `substr(${hardware}, ${at}, 4)`).join(` || '.' || `)}`;
  const keys = groupKeyColumns({ hardware, software: `(${software})`, setting });
  const info = `'{"kind":"desktop","os":"Linux","browser":"Chromium","browser_version":156,"label":"Chromium 156 on Linux"}'`;
  const statements = [
    `insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
      select ${id('user', 'n')}, '${worldId}', 'user-' || n, '{}', 'active', now(), now()
      from generate_series(0, ${Math.ceil(devices / 2) - 1}) n`,
    `insert into identities (id, world_id, created_at)
      select ${id('identity', 'n')}, '${worldId}', now() from generate_series(0, ${devices - 1}) n`,
    `insert into variants (id, world_id, identity_id, digest, fingerprint, hardware_key, software_key,
        frame_key, settled_key, first_seen_at, last_seen_at)
      select ${id('variant', 'n')}, '${worldId}', ${id('identity', 'n')}, sha256(convert_to(${fingerprint}, 'UTF8')),
        ${fingerprint}, ${hardwareKey}, ${keys.join(', ')}, now(), now()
      from generate_series(0, ${devices - 1}) n`,
    `insert into devices (id, world_id, user_id, identity_id, status, kind, info, metadata, trusted, whitelisted,
        auto_detached, variant_id, last_ip, last_network, last_seen_at, created_at, updated_at)
      select ${id('device', 'n')}, '${worldId}', ${id('user', 'n / 2')}, ${id('identity', 'n')}, 'attached', 'desktop',
        ${info}, '{}', true, false, false, ${id('variant', 'n')}, ${address}, ${address}, now() - interval '1 hour',
        now(), now()
      from generate_series(0, ${devices - 1}) n`,
    `insert into device_variants (world_id, device_id, variant_id)
      select '${worldId}', ${id('device', 'n')}, ${id('variant', 'n')} from generate_series(0, ${devices - 1}) n`,
    `insert into user_addresses (user_id, world_id, network, seen_at, trusted_until)
      select ${id('user', 'n / 2')}, '${worldId}', ${address}, now() - interval '1 hour', now() + interval '80 days'
      from generate_series(0, ${devices - 1}) n`,
    // Every third device sometimes sends a proof.
    `insert into device_keys (device_id, world_id, thumbprint, created_at)
      select ${id('device', 'n')}, '${worldId}', md5('key ' || n), now()
      from generate_series(0, ${devices - 1}, 3) n`,
    // The challenges that made the devices trusted.
    `insert into challenges (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, ip, network,
        reasons, status, completed_at, expires_at, created_at)
      select ${id('challenge', 'n')}, '${worldId}', ${id('user', 'n / 2')}, 'user-' || n / 2, ${id('device', 'n')},
        ${id('identity', 'n')}, ${id('variant', 'n')}, 'login', ${address}, ${address}, '["new_device"]', 'completed',
        now() - interval '10 days', now() - interval '9 days', now() - interval '10 days'
      from generate_series(0, ${devices - 1}) n`,
    // Erased users whose devices nobody else has. Blind indexes without an identity would be removed.
    `insert into identities (id, world_id, created_at)
      select ${id('erased', 'n')}, '${worldId}', now() from generate_series(0, ${Math.ceil(devices / 50) - 1}) n`,
    `insert into marks (world_id, identity_id, cause, mark, created_at)
      select '${worldId}', ${id('erased', 'n')}, 'account', sha256(n::text::bytea), now()
      from generate_series(0, ${Math.ceil(devices / 50) - 1}) n`,
    `insert into crowds (world_id, hardware_key, shard, devices)
      select '${worldId}', ${hardwareKey}, 0, count(*) from generate_series(0, ${devices - 1}) n group by 2`,
    `insert into crowds (world_id, hardware_key, shard, devices) values ('${worldId}', '', 0, ${devices})`,
    ...pastPartitions('evaluations'),
    ...pastPartitions('events'),
    `insert into evaluations (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, verdict,
        reasons, findings, request, ip, network, confidence, matched_by, changed, accepted, claimed, created_at)
      select ${idAt('at', id('evaluation', 'access'))}, '${worldId}', ${id('user', 'n / 2')}, 'user-' || n / 2, ${id('device', 'n')},
        ${id('identity', 'n')}, ${id('variant', 'n')}, 'login', 'allow', '[]', '[]', decode(repeat(md5(n::text), 20), 'hex'),
        ${address}, ${address}, 1, 'exact', '[]', true, false, at
      from (select access, access % ${devices} as n, now() - interval '100 days' * (access::float / ${accesses}) as at
        from generate_series(0, ${accesses - 1}) access) accesses`,
    // Counts of the last day's accesses, of other subjects than those of the load.
    `insert into velocity_counts (world_id, kind, subject, slot, shard, evaluations, failures, signups, users, devices)
      select '${worldId}', kind, decode(md5(kind || access), 'hex'),
        date_bin('5 minutes', now() - interval '100 days' * (access::float / ${accesses}), 'epoch'), 0, 1, 0, 0,
        case when kind <> 'user' then set_bit(0::bit(512), access % 512, 1) end,
        case when kind <> 'device' then set_bit(0::bit(512), access % 512, 1) end
      from generate_series(0, ${Math.ceil(accesses / 100) - 1}) access,
        unnest(array['address', 'device', 'network', 'user']) kind`,
    // PostgreSQL would do this by itself a minute later, during the load.
    'vacuum (analyze)',
    'checkpoint',
  ];
  // Otherwise each row's references would be checked one by one. The rules above guarantee them.
  await client.query('set session_replication_role = replica');
  const history =
    /^insert into (device_variants|device_keys|user_addresses|challenges|marks|evaluations|velocity_counts)/;
  for (const statement of statements) {
    if (!isBare || !history.test(statement)) await client.query(statement);
  }
  await client.query('set session_replication_role = origin');
}

/** Number of past months with partitions, as after two years of use. */
const pastMonths = 24;

/** Returns the statements that create a table's missing partitions of past months. */
function pastPartitions(/** @type {string} */ table) {
  const now = new Date();
  return Array.from({ length: pastMonths }, (_, at) => {
    const [from, to] = [at + 1, at].map((back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)));
    const name = `${table}_${from?.toISOString().slice(0, 7).replace('-', '_')}`;
    return `create table if not exists ${name} partition of ${table} for values from ('${lowestId(from)}') to ('${lowestId(to)}')`;
  });
}

function lowestId(/** @type {Date | undefined} */ moment) {
  const hex = (moment ?? new Date(0)).getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns an SQL expression for a UUID version 7, from the expressions of a time and of another UUID. */
export function idAt(/** @type {string} */ moment, /** @type {string} */ uuid) {
  const time = `lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0')`;
  return `(${time} || '7' || substr(md5((${uuid})::text), 1, 3) || '8' || substr(md5((${uuid})::text), 5, 15))::uuid`;
}
