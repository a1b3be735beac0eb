import { type Selectable, sql, type Updateable } from 'kysely';
import type { DeviceKind, DeviceStatus } from 'whorl/wire';
import { type PageOfRows, type PageRequest, readPage } from '../../../ground/db/paging.js';
import type { DeviceTable } from '../../../ground/db/schema/index.js';
import { statement } from '../../../ground/db/statement.js';
import type { Database } from '../../service.js';
import type { UserKey } from '../../users/queries/users.js';
import type { AttachedDevices } from '../rules/device.js';
import { hasHardware } from './hardware-condition.js';

export type DeviceRow = Selectable<DeviceTable>;

interface LimitRow {
  readonly attached: AttachedDevices | null;
  readonly kind: DeviceKind | null;
  readonly status: DeviceStatus | null;
}

const selectLimit = statement<{ worldId: string; userId: string | null; deviceId: string | null }, LimitRow>()`
  select d.kind, d.status, (
    select jsonb_object_agg(k.kind, k.devices) from (
      select x.kind, count(*)::int as devices from devices x
      where x.world_id = ${'worldId'} and x.user_id = ${'userId'}::uuid and x.status = 'attached' group by x.kind
    ) k
  ) as attached
  from (select 1) one left join devices d on d.world_id = ${'worldId'} and d.id = coalesce(
    (select x.merged_into from devices x where x.world_id = ${'worldId'} and x.id = ${'deviceId'}::uuid), ${'deviceId'}::uuid
  )`;

/** Returns a user's number of attached devices by kind, and the kind and status of one device. Follows merges. */
export async function findLimit(
  db: Database,
  worldId: string,
  { userId, deviceId }: { readonly userId: string | undefined; readonly deviceId: string | undefined },
): Promise<{ attached: AttachedDevices; device: { kind: DeviceKind; status: DeviceStatus } | undefined }> {
  const [row] = await selectLimit(db, { worldId, userId: userId ?? null, deviceId: deviceId ?? null });
  const { attached, kind, status } = row ?? { attached: null, kind: null, status: null };
  return { attached: attached ?? {}, device: kind && status ? { kind, status } : undefined };
}

/**
 * Returns one device of a world, or the one that it was merged into. `lock` locks it until the transaction ends.
 */
export async function findDevice(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<DeviceRow | undefined> {
  const currentId = sql<string>`coalesce(
    (select x.merged_into from devices x where x.world_id = ${worldId} and x.id = ${id}), ${id}::uuid
  )`;
  const query = db.selectFrom('devices').selectAll().where('world_id', '=', worldId).where('id', '=', currentId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export async function findDeviceOfIdentity(
  db: Database,
  worldId: string,
  userId: string,
  identityId: string,
): Promise<DeviceRow | undefined> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where(
      'identity_id',
      '=',
      sql<string>`(
        select coalesce(i.merged_into, i.id) from identities i where i.world_id = ${worldId} and i.id = ${identityId}
      )`,
    )
    .executeTakeFirst();
}

/** Changes a device and increments its revision. */
export async function changeDevice(
  db: Database,
  { world_id, id }: Pick<DeviceRow, 'world_id' | 'id'>,
  changes: Pick<
    Updateable<DeviceTable>,
    | 'status'
    | 'trusted'
    | 'whitelisted'
    | 'auto_detached'
    | 'detached_at'
    | 'ended_at'
    | 'end_cause'
    | 'revocation'
    | 'metadata'
    | 'name'
    | 'disowned_at'
  >,
  at: Date,
): Promise<DeviceRow> {
  return db
    .updateTable('devices')
    .set({ ...changes, updated_at: at, revision: sql<number>`revision + 1` })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes all fingerprints that a device is trusted with. */
export async function removeDeviceVariants(db: Database, worldId: string, deviceId: string): Promise<void> {
  await db.deleteFrom('device_variants').where('world_id', '=', worldId).where('device_id', '=', deviceId).execute();
}

/** Trusts a device with its newest fingerprint if it is not trusted with any yet. */
export async function coverNewestVariant(db: Database, worldId: string, deviceId: string): Promise<void> {
  await sql`
    insert into device_variants (world_id, device_id, variant_id)
    select d.world_id, d.id, d.variant_id from devices d
    where d.world_id = ${worldId} and d.id = ${deviceId}
      and not exists (select from device_variants v where v.world_id = d.world_id and v.device_id = d.id)
  `.execute(db);
}

/** Returns the devices of a user, newest first. */
export async function listDeviceRows(
  db: Database,
  user: UserKey,
  {
    status,
    hardware_id: hardwareId,
    ...page
  }: PageRequest & { readonly status?: DeviceStatus | undefined; readonly hardware_id?: string | undefined },
): Promise<PageOfRows<DeviceRow>> {
  let matching = devicesOf(db, user);
  if (status) matching = matching.where('status', '=', status);
  if (hardwareId !== undefined) matching = matching.where(hasHardware(user.world_id, hardwareId));
  return readPage(matching, page);
}

/** Returns all devices of a user, newest first. Whitelisted devices are included only if requested. */
export async function listAllDeviceRows(
  db: Database,
  user: UserKey,
  { whitelisted }: { readonly whitelisted: boolean },
): Promise<DeviceRow[]> {
  const devices = devicesOf(db, user).selectAll();
  const matching = whitelisted ? devices : devices.where('whitelisted', '=', false);
  return matching.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** Returns devices of a user that are signed in or trusted, in the order of their IDs. Blocked devices are left out. */
export async function listDevicesToDetach(db: Database, user: UserKey, limit: number): Promise<DeviceRow[]> {
  return devicesOf(db, user)
    .selectAll()
    .where((where) =>
      where.or([
        where('status', 'in', ['attached', 'pending']),
        where.and([
          where('status', '=', 'detached'),
          where.or([where('auto_detached', '=', true), where('trusted', '=', true), where('whitelisted', '=', true)]),
        ]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

function devicesOf(db: Database, { world_id, id }: UserKey) {
  return db
    .selectFrom('devices')
    .where('world_id', '=', world_id)
    .where('user_id', '=', id)
    .where('merged_into', 'is', null);
}

/** Inactive device, with the ID for locking its user. */
export interface IdleDevice {
  readonly id: string;
  readonly external_id: string;
}

/** Returns attached devices of a world that were not seen since a time, ordered by ID, starting after `after`. */
export async function listIdleDevices(
  db: Database,
  worldId: string,
  { since, after, limit }: { readonly since: Date; readonly after: string; readonly limit: number },
): Promise<IdleDevice[]> {
  return db
    .selectFrom('devices as d')
    .innerJoin('users as u', (join) => join.onRef('u.world_id', '=', 'd.world_id').onRef('u.id', '=', 'd.user_id'))
    .select(['d.id', 'u.external_id'])
    .where('d.world_id', '=', worldId)
    .where('d.status', '=', 'attached')
    .where('d.last_seen_at', '<', since)
    .where('d.id', '>', after)
    .orderBy('d.id')
    .limit(limit)
    .execute();
}
