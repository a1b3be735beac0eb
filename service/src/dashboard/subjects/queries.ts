import { sql } from 'kysely';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';

/** Returns devices by their IDs, or the ones they were merged into, with the identifiers of their users. */
export async function findNamedDevices(
  db: Database,
  worldId: string,
  ids: readonly string[],
): Promise<(DeviceRow & { readonly external_id: string })[]> {
  const { rows } = await sql<DeviceRow & { readonly external_id: string }>`
    select d.*, u.external_id from (
      select distinct coalesce(merged_into, id) as id from devices
      where world_id = ${worldId} and id = any(${[...ids]}::uuid[])
    ) wanted
    join devices d on d.world_id = ${worldId} and d.id = wanted.id
    join users u on u.world_id = ${worldId} and u.id = d.user_id
    order by d.last_seen_at desc, d.id desc
  `.execute(db);
  return rows;
}

/** Returns the sealed email addresses of users who have one. */
export async function findSealedEmails(
  db: Database,
  worldId: string,
  userIds: readonly string[],
): Promise<{ readonly id: string; readonly email: Uint8Array }[]> {
  const { rows } = await sql<{ readonly id: string; readonly email: Uint8Array }>`
    select id, email from users
    where world_id = ${worldId} and id = any(${[...userIds]}::uuid[]) and email is not null
  `.execute(db);
  return rows;
}
