import { statement } from '../../ground/db/statement.js';
import type { Database } from '../../resources/service.js';

interface ImportedAddress {
  readonly userId: string;
  readonly worldId: string;
  readonly network: string;
  readonly now: Date;
  readonly trustedUntil: Date;
}

const insertTrust = statement<ImportedAddress, { network: string }>()`
  insert into user_addresses (user_id, world_id, network, seen_at, trusted_until)
  values (${'userId'}, ${'worldId'}, ${'network'}, null, ${'trustedUntil'}::timestamptz)
  on conflict (world_id, user_id, network) do update set trusted_until = excluded.trusted_until
    where user_addresses.trusted_until is null or user_addresses.trusted_until <= ${'now'}::timestamptz
  returning network`;

/** Trusts an address, even if the user was never seen there. Returns false if it is already trusted. */
export async function trustAddress(db: Database, address: ImportedAddress): Promise<boolean> {
  return (await insertTrust(db, address)).length > 0;
}

const insertCoverage = statement<{ worldId: string; deviceId: string; variantId: string }, { device_id: string }>()`
  insert into device_variants (world_id, device_id, variant_id) values (${'worldId'}, ${'deviceId'}, ${'variantId'})
  on conflict do nothing returning device_id`;

/** Adds a fingerprint to those that a device is trusted with. Returns false if it was already included. */
export async function coverVariant(
  db: Database,
  worldId: string,
  deviceId: string,
  variantId: string,
): Promise<boolean> {
  return (await insertCoverage(db, { worldId, deviceId, variantId })).length > 0;
}
