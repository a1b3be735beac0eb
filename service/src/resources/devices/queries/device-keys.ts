import { sql } from 'kysely';
import { statement } from '../../../ground/db/statement.js';
import type { Database } from '../../service.js';

interface SpentNonce {
  readonly worldId: string;
  readonly nonce: string;
  readonly expiresAt: Date;
}

const insertSpentNonce = statement<SpentNonce, { nonce: string }>()`
  insert into spent_nonces (world_id, nonce, expires_at) values (${'worldId'}, ${'nonce'}, ${'expiresAt'})
  on conflict do nothing returning nonce`;

/** Spends a nonce. Returns false if it is already spent. Of two concurrent calls, one waits for the other's commit. */
export async function spendNonce(db: Database, nonce: SpentNonce): Promise<boolean> {
  return (await insertSpentNonce(db, nonce)).length === 1;
}

interface NewKey {
  readonly deviceId: string;
  readonly worldId: string;
  readonly thumbprint: string;
  readonly at: Date;
}

const insertDeviceKey = statement<NewKey>()`
  with added as (
    insert into device_keys (device_id, world_id, thumbprint, created_at)
    values (${'deviceId'}, ${'worldId'}, ${'thumbprint'}, ${'at'})
    on conflict (world_id, device_id, thumbprint) do update set revoked_at = null
    returning device_id
  )
  update devices set proven = true where world_id = ${'worldId'} and id in (select device_id from added) and not proven`;

/** Adds a key that a device can prove itself with. */
export async function addDeviceKey(db: Database, key: NewKey): Promise<void> {
  await insertDeviceKey(db, key);
}

/** Revokes all keys of a device. They remain as evidence about other users' devices. */
export async function revokeDeviceKeys(db: Database, worldId: string, deviceId: string, at: Date): Promise<void> {
  await sql`
    with revoked as (
      update device_keys set revoked_at = ${at}
      where world_id = ${worldId} and device_id = ${deviceId} and revoked_at is null
    )
    update devices set proven = false where world_id = ${worldId} and id = ${deviceId} and proven
  `.execute(db);
}
