/**
 * The devices that the load speaks of, as rules that SQL and JavaScript both follow: device number n has the same
 * fingerprint here and there. Fifty devices each share their hardware, as devices of one model do.
 */
import { createHash } from 'node:crypto';

const devicesPerModel = 50;
const md5 = (text) => createHash('md5').update(text).digest('hex');

/** The fingerprint of device number n. */
export function fingerprintOf(n) {
  const hardware = md5(`hardware ${Math.floor(n / devicesPerModel)}`).slice(0, 24);
  const software = `${md5(`software ${n}`)}${md5(`more ${n}`)}`.slice(0, 36);
  const setting = md5(`setting ${n}`).slice(0, 20);
  return `w1.dlc156.${hardware}.${software}.${setting}.AAAA`;
}

/** The address from which device number n comes. */
export function addressOf(n) {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** The user of device number n: two devices each. */
export function userOf(n) {
  return `user-${Math.floor(n / 2)}`;
}

/**
 * Fills a world straight in the database: so many devices that are attached and trusted at their addresses, and so many
 * accesses of theirs over the last 100 days.
 */
export async function fillWorld(client, worldId, { devices, accesses }) {
  const id = (kind, n) => `md5('${worldId} ${kind} ' || ${n})::uuid`;
  const address = `'10.' || (n >> 16 & 255) || '.' || (n >> 8 & 255) || '.' || (n & 255)`;
  const hardware = `substr(md5('hardware ' || n / ${devicesPerModel}), 1, 24)`;
  const fingerprint = `'w1.dlc156.' || ${hardware} || '.' || substr(md5('software ' || n) || md5('more ' || n), 1, 36)
    || '.' || substr(md5('setting ' || n), 1, 20) || '.AAAA'`;
  // As the service makes it of the hardware facets: four characters each.
  const hardwareKey = `'Linux.Chromium.' || ${[1, 5, 9, 13, 17, 21].map((at) => `substr(${hardware}, ${at}, 4)`).join(` || '.' || `)}`;
  const info = `'{"kind":"desktop","os":"Linux","browser":"Chromium","browser_version":156,"label":"Chromium 156 on Linux"}'`;
  const statements = [
    `insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
      select ${id('user', 'n')}, '${worldId}', 'user-' || n, '{}', 'active', now(), now()
      from generate_series(0, ${Math.ceil(devices / 2) - 1}) n`,
    `insert into identities (id, world_id, created_at)
      select ${id('identity', 'n')}, '${worldId}', now() from generate_series(0, ${devices - 1}) n`,
    `insert into variants (id, world_id, identity_id, digest, fingerprint, hardware_key, claimed, first_seen_at, last_seen_at)
      select ${id('variant', 'n')}, '${worldId}', ${id('identity', 'n')}, sha256(convert_to(${fingerprint}, 'UTF8')),
        ${fingerprint}, ${hardwareKey}, false, now(), now()
      from generate_series(0, ${devices - 1}) n`,
    `insert into devices (id, world_id, user_id, identity_id, status, kind, info, metadata, trusted, whitelisted,
        auto_detached, variant_id, last_ip, last_network, last_seen_at, created_at, updated_at)
      select ${id('device', 'n')}, '${worldId}', ${id('user', 'n / 2')}, ${id('identity', 'n')}, 'attached', 'desktop',
        ${info}, '{}', true, false, false, ${id('variant', 'n')}, ${address}, ${address}, now() - interval '1 hour',
        now(), now()
      from generate_series(0, ${devices - 1}) n`,
    `insert into device_variants (device_id, variant_id)
      select ${id('device', 'n')}, ${id('variant', 'n')} from generate_series(0, ${devices - 1}) n`,
    `insert into user_addresses (user_id, world_id, network, seen_at, trusted_until)
      select ${id('user', 'n / 2')}, '${worldId}', ${address}, now() - interval '1 hour', now() + interval '80 days'
      from generate_series(0, ${devices - 1}) n`,
    `insert into crowds (world_id, hardware_key, shard, devices)
      select '${worldId}', ${hardwareKey}, 0, count(*) from generate_series(0, ${devices - 1}) n group by 2`,
    `insert into crowds (world_id, hardware_key, shard, devices) values ('${worldId}', '', 0, ${devices})`,
    `insert into evaluations (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, verdict,
        reasons, findings, request, ip, network, confidence, matched_by, changed, claimed, created_at)
      select ${id('evaluation', 'access')}, '${worldId}', ${id('user', 'n / 2')}, 'user-' || n / 2, ${id('device', 'n')},
        ${id('identity', 'n')}, ${id('variant', 'n')}, 'login', 'allow', '[]', '[]', decode(repeat(md5(n::text), 20), 'hex'),
        ${address}, ${address}, 1, 'exact', '[]', false, now() - interval '100 days' * (access::float / ${accesses})
      from (select access, access % ${devices} as n from generate_series(0, ${accesses - 1}) access) accesses`,
    'analyze',
  ];
  for (const statement of statements) await client.query(statement);
}
