/**
 * Many devices of one model with the same software and settings, which differ in only two facets and share all
 * candidate keys.
 */
import { createHash } from 'node:crypto';
import { groupKeyColumns } from './population.mjs';

export const crowdSize = 10_000;

const hardware = 'crowdcrowdcrowdcrowdcrowdcro';
const [before, after] = ['softsoftsoftsoftsoftsoft', 'softsoft'];
const [screen, rest] = ['scrn', 'zonezonezone'];
const digest = (/** @type {string} */ text) => createHash('md5').update(text).digest('hex').slice(0, 4);

/** Returns one of these devices or, from `crowdSize` on, an unknown one. */
export function fingerprintOfCrowd(/** @type {number} */ n) {
  const software = `${before}${digest(`media ${n}`)}${after}`;
  return `w1.dlc156.${hardware}.${software}.${screen}${digest(`input ${n}`)}${rest}.AAAA`;
}

/** @param {import('pg').Client} client @param {string} worldId */
export async function addCrowd(client, worldId) {
  const id = (/** @type {string} */ kind) => `md5('${worldId} crowd ${kind} ' || n)::uuid`;
  const software = `('${before}' || substr(md5('media ' || n), 1, 4) || '${after}')`;
  const setting = `('${screen}' || substr(md5('input ' || n), 1, 4) || '${rest}')`;
  const fingerprint = `'w1.dlc156.${hardware}.' || ${software} || '.' || ${setting} || '.AAAA'`;
  const key = ['Linux', 'Chromium', ...(hardware.match(/.{4}/g) ?? []).slice(0, 6)].join('.');
  const numbers = `generate_series(0, ${crowdSize - 1}) n`;
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into identities (id, world_id, created_at) select ${id('identity')}, '${worldId}', now() from ${numbers}`,
  );
  await client.query(`insert into variants (id, world_id, identity_id, digest, fingerprint, hardware_key, software_key,
      frame_key, settled_key, first_seen_at, last_seen_at)
    select ${id('variant')}, '${worldId}', ${id('identity')}, sha256(convert_to(${fingerprint}, 'UTF8')), ${fingerprint}, '${key}',
      ${groupKeyColumns({ hardware: `'${hardware}'`, software, setting }).join(', ')}, now(), now()
    from ${numbers}`);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum (analyze) variants');
}
