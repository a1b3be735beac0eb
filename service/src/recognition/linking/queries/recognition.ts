import { fragment, statement } from '../../../ground/db/statement.js';
import type { Database } from '../../../resources/service.js';

/** Stored fingerprint. */
export interface KnownVariant {
  readonly variantId: string;
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
}

/** Stored fingerprint, and what connects it with the user. */
export interface FoundVariant extends KnownVariant {
  /** Whether it is a fingerprint of one of the user's devices. */
  readonly isOwn: boolean;
  /** Whether its identity has devices of any user. */
  readonly hasUsers: boolean;
}

/** Fingerprints to look up, and the user and the proven key that come with them. */
export interface VariantLookup {
  readonly worldId: string;
  readonly digest: Uint8Array;
  readonly lastDigest: Uint8Array | null;
  /** Customer's ID of the user. */
  readonly externalId: string | null;
  readonly keyThumbprint: string | null;
}

/** Stored fingerprints, and the identity whose device has the proven key. */
export interface FoundVariants {
  readonly known: FoundVariant | undefined;
  readonly lastKnown: FoundVariant | undefined;
  readonly keyIdentityId: string | undefined;
}

/** Maximum number of a user's devices that are compared, the most recently seen. */
export const maxOwnDevices = 20;

/**
 * Selects one variant with the digest `q.digest`: of the devices of the user `u.id`, or else of any identity. The limits
 * make the planner start with the user's devices and not with the look-alikes, which may be very many.
 */
export const variantOfDigest = fragment<{ readonly worldId: string | null }>()`
    select * from (
      (
        select x.*, true as is_own from (
          select d.identity_id from devices d
          where d.world_id = ${'worldId'} and d.user_id = u.id and d.merged_into is null
          order by d.last_seen_at desc limit ${maxOwnDevices}
        ) o cross join lateral (
          select v.id, v.fingerprint, v.last_seen_at, v.identity_id from variants v
          where v.world_id = ${'worldId'} and v.digest = q.digest and v.identity_id = o.identity_id limit 1
        ) x limit 1
      ) union all (
        select v.id, v.fingerprint, v.last_seen_at, coalesce(i.merged_into, i.id) as identity_id, false as is_own
        from (
          select * from variants x
          where x.world_id = ${'worldId'} and x.digest = q.digest order by x.identity_id limit 1
        ) v join identities i on i.world_id = ${'worldId'} and i.id = v.identity_id
      )
    ) found order by is_own desc limit 1`;

/** Selects the identity of the newest device with a key. A revoked key still shows which browser it is. */
export const identityOfKey = fragment<{ readonly worldId: string | null; readonly keyThumbprint: string | null }>()`
    select d.identity_id from device_keys k
    join devices d on d.world_id = k.world_id and d.id = k.device_id and d.merged_into is null
    where k.world_id = ${'worldId'} and k.thumbprint = ${'keyThumbprint'}::text
    order by k.device_id desc limit 1`;

interface FoundRow {
  readonly place: 'known' | 'last';
  readonly id: string | null;
  readonly fingerprint: string;
  readonly last_seen_at: Date;
  readonly identity_id: string;
  readonly is_own: boolean;
  readonly has_users: boolean;
  readonly key_identity_id: string | null;
}

const selectVariants = statement<VariantLookup, FoundRow>()`
  select q.place, v.*, (${identityOfKey}) as key_identity_id,
    exists (
      select from devices d where d.world_id = ${'worldId'} and d.identity_id = v.identity_id
    ) as has_users
  from (values ('known', ${'digest'}::bytea), ('last', ${'lastDigest'}::bytea)) q (place, digest)
  cross join (
    select (select x.id from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'}::text) as id
  ) u
  left join lateral (${variantOfDigest}) v on true`;

/** Looks up a fingerprint and the saved one that came with it. The user's own devices come first. */
export async function findVariants(db: Database, lookup: VariantLookup): Promise<FoundVariants> {
  const rows = await selectVariants(db, lookup);
  const read = (place: FoundRow['place']): FoundVariant | undefined => {
    const row = rows.find((each) => each.place === place);
    if (!row || row.id === null) return undefined;
    const { id, identity_id, fingerprint, last_seen_at, is_own, has_users } = row;
    return {
      variantId: id,
      identityId: identity_id,
      fingerprint,
      lastSeenAt: last_seen_at,
      isOwn: is_own,
      hasUsers: has_users,
    };
  };
  return { known: read('known'), lastKnown: read('last'), keyIdentityId: rows[0]?.key_identity_id ?? undefined };
}

/** Returns the variant of an identity with a digest; undefined if it has none. */
export async function findVariantOf(
  db: Database,
  worldId: string,
  identityId: string,
  digest: Uint8Array,
): Promise<KnownVariant | undefined> {
  const row = await db
    .selectFrom('variants')
    .select(['id', 'fingerprint', 'last_seen_at'])
    .where('world_id', '=', worldId)
    .where('digest', '=', digest)
    .where('identity_id', '=', identityId)
    .executeTakeFirst();
  return row && { variantId: row.id, identityId, fingerprint: row.fingerprint, lastSeenAt: row.last_seen_at };
}

/** Records that a variant was seen. */
export async function touchVariant(db: Database, worldId: string, variantId: string, at: Date): Promise<void> {
  await db
    .updateTable('variants')
    .set({ last_seen_at: at })
    .where('world_id', '=', worldId)
    .where('id', '=', variantId)
    .execute();
}
