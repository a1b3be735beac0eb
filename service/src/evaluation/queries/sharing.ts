import { sql } from 'kysely';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';

/** User whose account a device was challenged for sharing. */
export interface SharedAccount {
  readonly user_id: string;
  readonly same_address: boolean;
  readonly same_contact: boolean;
  readonly same_key: boolean;
}

export interface SharingLookup {
  readonly worldId: string;
  readonly identityId: string;
  /** User of the new account. */
  readonly userId: string;
  readonly network: string | null;
  /** All blind indexes under which the user's contacts may be stored. */
  readonly emailMarks: readonly Uint8Array[];
  readonly phoneMarks: readonly Uint8Array[];
  /** Thumbprint of the key in a valid proof. */
  readonly keyThumbprint: string | null;
  readonly since: Date;
}

/** Returns the other users' accounts that a device was challenged for sharing since a time, newest first. */
export async function findSharedAccounts(db: Database, lookup: SharingLookup): Promise<SharedAccount[]> {
  const { worldId, identityId, userId, network, emailMarks, phoneMarks, keyThumbprint, since } = lookup;
  const { rows } = await sql<SharedAccount>`
    select c.user_id,
      coalesce(c.network = ${network}::text, false) as same_address,
      coalesce(o.email_mark = any(${emailMarks}::bytea[]), false)
        or coalesce(o.phone_mark = any(${phoneMarks}::bytea[]), false) as same_contact,
      coalesce(c.key_thumbprint = ${keyThumbprint}::text, false) as same_key
    from challenges c join users o on o.world_id = c.world_id and o.id = c.user_id
    where c.world_id = ${worldId} and c.identity_id = ${identityId} and c.created_at > ${since}
      and c.user_id <> ${userId} and c.reasons ?| array['limit_exceeded', 'concurrency']
    order by c.created_at desc limit 20
  `.execute(db);
  return rows;
}

/** Returns a user's attached devices, at most 100, most recently seen first. */
export async function listAttachedDevices(db: Database, worldId: string, userId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where('status', '=', 'attached')
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute();
}
