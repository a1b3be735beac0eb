import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { compare, type FacetName, facets } from 'whorl/fingerprint';
import { dayMs, type OpenDatabase, seeded } from '../../src/testing.js';

/** A visit with a proven key, as an evaluation stores it. Numbers stand for IDs. */
export interface StoredVisit {
  readonly user: number;
  readonly key: number;
  readonly identity: number;
  readonly day: number;
  readonly fingerprint: string;
}

const firstDay = Date.UTC(2026, 0, 1);

/** Values in the database that a report must not contain, besides IDs, keys and fingerprints. */
export const planted = { user: 'planted-user', ip: '203.0.113.77', project: 'Planted Shop' };

/** Inserts visits with everything that belongs to them: users, identities, variants, devices, keys and evaluations. */
export async function storeVisits(
  { db }: OpenDatabase,
  worldId: string,
  visits: readonly StoredVisit[],
): Promise<void> {
  const texts = [...new Map(visits.map((visit) => [visit.fingerprint, visit])).values()];
  const variantOf = new Map(texts.map(({ fingerprint }, at) => [fingerprint, idOf('variant', at)]));
  const rows = visits.map(({ user, key, identity, day, fingerprint }, at) => ({
    id: idOf('evaluation', at),
    user_id: idOf('user', user),
    name: `${planted.user}-${user}`,
    identity_id: idOf('identity', identity),
    device_id: idOf('device', `${user} ${identity}`),
    variant_id: variantOf.get(fingerprint),
    fingerprint,
    key: thumbprintOf(key),
    at: new Date(firstDay + day * dayMs + 1000).toISOString(),
  }));
  await db.transaction().execute(async (trx) => {
    await sql`create temporary table seen on commit drop as select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(
      id uuid, user_id uuid, name text, identity_id uuid, device_id uuid, variant_id uuid, fingerprint text, key text, at timestamptz)`.execute(
      trx,
    );
    const world = sql`${worldId}::uuid`;
    await sql`insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
      select distinct on (user_id) user_id, ${world}, name, '{}'::jsonb, 'active', at, at from seen order by user_id, at`.execute(
      trx,
    );
    await sql`insert into identities (id, world_id, created_at)
      select identity_id, ${world}, min(at) from seen group by 1`.execute(trx);
    await sql`insert into variants (id, world_id, identity_id, digest, fingerprint, first_seen_at, last_seen_at)
      select distinct on (variant_id) variant_id, ${world}, identity_id, sha256(fingerprint::bytea), fingerprint, at, at
      from seen order by variant_id, at`.execute(trx);
    await sql`insert into devices (id, world_id, user_id, identity_id, status, kind, info, metadata, trusted, whitelisted,
        auto_detached, variant_id, last_ip, last_seen_at, created_at, updated_at)
      select distinct on (device_id) device_id, ${world}, user_id, identity_id, 'attached', 'desktop', '{}'::jsonb, '{}'::jsonb, true, false,
        false, variant_id, ${planted.ip}, at, at, at from seen order by device_id, at desc`.execute(trx);
    await sql`insert into device_keys (device_id, world_id, thumbprint, created_at)
      select device_id, ${world}, key, min(at) from seen group by 1, 3`.execute(trx);
    // Requests that no master secret opens.
    await sql`insert into evaluations (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, verdict,
        reasons, findings, request, ip, confidence, matched_by, changed, accepted, claimed, proof, key_thumbprint, created_at)
      select id, ${world}, user_id, name, device_id, identity_id, variant_id, 'login', 'allow', '[]', '[]', '\\x00'::bytea,
        ${planted.ip}, 1, 'exact', '[]', true, false, 'valid', key, at from seen`.execute(trx);
  });
}

function idOf(kind: string, at: number | string): string {
  const hex = createHash('sha256').update(`${kind} ${at}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function thumbprintOf(key: number): string {
  return createHash('sha256').update(`key ${key}`).digest('base64url');
}

/** How often a facet differs between two visits of a device, and its number of equally frequent values. */
interface PlantedFacet {
  readonly changes: number;
  readonly values: number;
}

/** Facets that tell devices apart. All devices agree in the others. */
export const plantedFacets: Readonly<Partial<Record<FacetName, PlantedFacet>>> = {
  text: { changes: 0.06, values: 20 },
  fonts: { changes: 0.18, values: 12 },
  metrics: { changes: 0.08, values: 8 },
  screen: { changes: 0.16, values: 8 },
  input: { changes: 0.05, values: 2 },
  locale: { changes: 0.03, values: 5 },
  timezone: { changes: 0.07, values: 9 },
  preferences: { changes: 0.12, values: 3 },
};

const names = facets.map(({ name }) => name).filter((name) => plantedFacets[name]);

/** Days between the two visits of a device. */
const elapsedDays = 30;

interface Pattern {
  /** Facets that differ. */
  readonly changed: readonly FacetName[];
  readonly bits: number;
  /** Probability among pairs of one device, and among pairs of two. */
  readonly same: number;
  readonly different: number;
}

/** Returns every combination of facets that can differ, with its score and its probabilities. */
function patterns(scale: number): Pattern[] {
  return Array.from({ length: 2 ** names.length }, (_, mask) => {
    const changed = names.filter((__, at) => mask & (1 << at));
    const probability = (changes: (facet: PlantedFacet) => number) =>
      names.reduce((product, name) => {
        const chance = changes(plantedFacets[name] ?? { changes: 0, values: 1 });
        return product * (changed.includes(name) ? chance : 1 - chance);
      }, 1);
    const values = new Map(changed.map((name) => [name, 1]));
    const { bits } = compare(textOf(new Map()), textOf(values), { elapsedDays });
    return {
      changed,
      bits,
      same: probability(({ changes }) => changes * scale),
      different: probability((facet) => 1 - 1 / facet.values),
    };
  });
}

/**
 * Returns the exact equal error rate of `compare` in the population: where the two rates of errors, as a function of the
 * threshold, cross.
 */
export function plantedErrorRate(scale: number): number {
  let [missed, merged] = [0, 1];
  for (const { same, different } of patterns(scale).sort((a, b) => a.bits - b.bits)) {
    const gap = merged - missed;
    if (gap <= same + different) return missed + (same * gap) / (same + different);
    missed += same;
    merged -= different;
  }
  throw new Error('The two rates do not cross');
}

/**
 * Returns two visits of each device. The combinations of facets that differ have exactly their probabilities, apart from
 * rounding to whole devices.
 *
 * @param scale How much more often facets change.
 */
export function plantedVisits({
  devices,
  scale,
  seed,
}: {
  devices: number;
  scale: number;
  seed: number;
}): StoredVisit[] {
  const random = seeded(seed);
  const all = patterns(scale);
  let sum = 0;
  let at = 0;
  return Array.from({ length: devices }, (_, device) => {
    while (sum + (all[at]?.same ?? 1) < (device + 0.5) / devices) sum += all[at++]?.same ?? 1;
    const before = new Map(names.map((name) => [name, Math.floor(random() * valuesOf(name))]));
    const after = new Map(before);
    for (const name of all[at]?.changed ?? []) {
      const step = 1 + Math.floor(random() * (valuesOf(name) - 1));
      after.set(name, ((before.get(name) ?? 0) + step) % valuesOf(name));
    }
    const visit = { user: device, key: device, identity: device };
    return [
      { ...visit, day: 0, fingerprint: textOf(before) },
      { ...visit, day: elapsedDays, fingerprint: textOf(after) },
    ];
  }).flat();
}

function valuesOf(name: FacetName): number {
  return plantedFacets[name]?.values ?? 1;
}

/** Returns a fingerprint. All its digests begin with "Zq", so that a search finds them. */
export function textOf(values: ReadonlyMap<FacetName, number>): string {
  const groups = (['hardware', 'software', 'setting'] as const).map((group) =>
    facets
      .filter((facet) => facet.group === group)
      .map(({ name }) => `Zq${(values.get(name) ?? 0).toString(36).padStart(2, '0')}`)
      .join(''),
  );
  return ['w1', 'dlc156', ...groups, 'AAAA'].join('.');
}
