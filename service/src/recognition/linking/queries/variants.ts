import { sql } from 'kysely';
import { statement } from '../../../ground/db/statement.js';
import type { Database, Transaction } from '../../../resources/service.js';
import type { GroupKeys } from '../rules/group-keys.js';
import { findVariantOf } from './recognition.js';

/** Returns the fingerprint of a variant that another row refers to. */
export async function findVariantFingerprint(db: Database, worldId: string, variantId: string): Promise<string> {
  const { fingerprint } = await db
    .selectFrom('variants')
    .select('fingerprint')
    .where('world_id', '=', worldId)
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow();
  return fingerprint;
}

export interface NewVariant {
  readonly id: string;
  readonly worldId: string;
  readonly identityId: string;
  readonly isNewIdentity: boolean;
  /**
   * ID for the new identity if `identityId` is already in use by an identity from which this fingerprint was deleted. If
   * that identity has the fingerprint, another transaction has just added it, and nothing is added.
   */
  readonly spareIdentityId: string;
  readonly digest: Uint8Array;
  readonly fingerprint: string;
  readonly hardwareKey: string | undefined;
  readonly keys: GroupKeys;
  readonly at: Date;
}

type VariantValues = Omit<NewVariant, 'isNewIdentity' | 'spareIdentityId' | 'hardwareKey' | 'keys'> &
  GroupKeys & { readonly hardware: string | null };

const insertVariantRow = statement<VariantValues, { id: string }>()`
  insert into variants (
    id, world_id, identity_id, digest, fingerprint, hardware_key, software_key, frame_key, settled_key,
    first_seen_at, last_seen_at
  ) values (
    ${'id'}, ${'worldId'}, ${'identityId'}, ${'digest'}, ${'fingerprint'}, ${'hardware'}, ${'software'}, ${'frame'},
    ${'settled'}, ${'at'}, ${'at'}
  ) on conflict (world_id, digest, identity_id) do nothing returning id`;

const insertIdentity = statement<Pick<NewVariant, 'worldId' | 'identityId' | 'at'>, { id: string }>()`
  insert into identities (id, world_id, created_at) values (${'identityId'}, ${'worldId'}, ${'at'})
  on conflict (world_id, id) do nothing returning id`;

/**
 * Adds a variant, and its identity if that is new. Returns the identity's ID. If the identity has this fingerprint
 * already, adds nothing and returns undefined. In a transaction, because an identity without a variant could never be
 * found again.
 */
export async function insertVariant(
  trx: Transaction,
  { hardwareKey, keys, isNewIdentity, spareIdentityId, ...variant }: NewVariant,
): Promise<string | undefined> {
  const values = { ...variant, ...keys, hardware: hardwareKey ?? null };
  const { worldId, digest, at } = variant;
  if (isNewIdentity && (await insertIdentity(trx, variant)).length === 0) {
    if (await findVariantOf(trx, worldId, variant.identityId, digest)) return undefined;
    values.identityId = spareIdentityId;
    await insertIdentity(trx, { worldId, identityId: spareIdentityId, at });
  }
  const [row] = await insertVariantRow(trx, values);
  return row && values.identityId;
}

const supersedeOthers = statement<
  Pick<VariantValues, 'id' | 'worldId' | 'identityId' | 'hardware' | keyof GroupKeys>
>()`
  update variants set
    hardware_key = nullif(hardware_key, ${'hardware'}::text),
    software_key = nullif(software_key, ${'software'}::bigint),
    frame_key = nullif(frame_key, ${'frame'}::bigint),
    settled_key = nullif(settled_key, ${'settled'}::bigint)
  where world_id = ${'worldId'} and identity_id = ${'identityId'} and id <> ${'id'}
    and (hardware_key = ${'hardware'}::text or software_key = ${'software'}::bigint
      or frame_key = ${'frame'}::bigint or settled_key = ${'settled'}::bigint)`;

/**
 * Removes the group keys of an identity's older variants, so that it takes up only one candidate per group. Exact
 * matches are not affected.
 */
export async function supersede(
  db: Database,
  {
    id,
    worldId,
    identityId,
    hardwareKey,
    keys,
  }: Pick<NewVariant, 'id' | 'worldId' | 'identityId' | 'hardwareKey' | 'keys'>,
): Promise<void> {
  await supersedeOthers(db, { id, worldId, identityId, hardware: hardwareKey ?? null, ...keys });
}

const countVariants = statement<{ worldId: string; identityId: string; maxVariants: number }, { count: number }>()`
  select count(*)::int as count from (
    select from variants where world_id = ${'worldId'} and identity_id = ${'identityId'} limit ${'maxVariants'}::int
  ) counted`;

/**
 * Makes room for one more variant of an identity: if it already has `maxVariants`, deletes the one seen longest ago,
 * except variants that were seen since `before`, belong to a device, or are needed by an open challenge. Returns whether
 * there is room.
 */
export async function makeRoom(
  db: Database,
  worldId: string,
  {
    identityId,
    maxVariants,
    before,
  }: { readonly identityId: string; readonly maxVariants: number; readonly before: Date },
): Promise<boolean> {
  const [counted] = await countVariants(db, { worldId, identityId, maxVariants });
  if ((counted?.count ?? 0) < maxVariants) return true;
  const { numAffectedRows = 0n } = await sql`
    delete from variants where world_id = ${worldId} and id in (
      select v.id from variants v
      where v.world_id = ${worldId} and v.identity_id = ${identityId} and v.last_seen_at < ${before}
        and not exists (select from devices d where d.world_id = v.world_id and d.variant_id = v.id)
        and not exists (select from device_variants k where k.world_id = v.world_id and k.variant_id = v.id)
        and not exists (
          select from challenges c
          where c.world_id = v.world_id and c.identity_id = v.identity_id
            and c.variant_id = v.id and c.status = 'pending'
        )
      order by v.last_seen_at
      limit 1 for update skip locked
    )
  `.execute(db);
  return numAffectedRows > 0n;
}
