import type { Selectable } from 'kysely';
import type { AttachedDevices } from '../../domain/devices/limits.js';
import type { Database } from '../../service.js';
import type { DeviceTable } from '../schema.js';

export type DeviceRow = Selectable<DeviceTable>;

/** How many devices of a user count towards the limits, of each kind. */
export async function countAttached(db: Database, userId: string): Promise<AttachedDevices> {
  const rows = await db
    .selectFrom('devices')
    .select(['kind', (builder) => builder.fn.countAll<number>().as('devices')])
    .where('user_id', '=', userId)
    .where('status', '=', 'attached')
    .groupBy('kind')
    .execute();
  return Object.fromEntries(rows.map(({ kind, devices }) => [kind, devices]));
}

/** One device of a world; locked until the transaction ends where it is about to be changed. */
export async function findDevice(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<DeviceRow | undefined> {
  const query = db.selectFrom('devices').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}
