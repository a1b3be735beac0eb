import { type RawBuilder, type Selectable, sql } from 'kysely';
import { addressIs, allOf } from '../../../ground/db/conditions.js';
import { type Scan, type ScanRequest, scanByTime } from '../../../ground/db/scan-queries.js';
import type { DeviceTable } from '../../../ground/db/schema/index.js';
import type { Database } from '../../service.js';
import { hasHardware } from '../queries/hardware-condition.js';
import type { DeviceFilter } from './rules/filters.js';

type DeviceRow = Selectable<DeviceTable>;

/** Filters that statements apply. Places of addresses are not stored. */
export type StoredDeviceFilter = Omit<
  DeviceFilter,
  'user' | 'country' | 'asn' | 'address_kind' | 'seen_start_date' | 'seen_end_date'
>;

export interface DeviceSearch extends Omit<ScanRequest, 'filter' | 'within' | 'parts'> {
  readonly filter: StoredDeviceFilter;
  /** Times of the oldest and newest devices to find. Default: no limit. */
  readonly createdSince?: Date | undefined;
  readonly createdUntil?: Date | undefined;
}

const statuses = ['attached', 'pending', 'detached', 'blocked'] as const;

/** Returns devices of a world, most recently seen first. Those that were merged into others are left out. */
export function scanDevices(
  db: Database,
  { filter, createdSince, createdUntil, ...request }: DeviceSearch,
): Promise<Scan<DeviceRow>> {
  const { worldId } = request;
  const { status, user_id, fingerprint_id } = filter;
  const condition = allOf([
    ...conditionsOf(worldId, filter),
    createdSince && sql`created_at >= ${createdSince}`,
    createdUntil && sql`created_at <= ${createdUntil}`,
    // An index that is used for one of them does not know the others.
    user_id && fingerprint_id && sql`identity_id = ${rootOf(worldId, fingerprint_id)}`,
    (user_id ?? fingerprint_id) && status && sql`status = ${status}`,
  ]);
  const source = { table: sql`devices`, columns: sql`*`, time: 'last_seen_at' } as const;
  return scanByTime(db, source, { ...request, filter: condition, parts: partsOf(worldId, filter) });
}

/** Returns conditions of which each has an index. Without a user or browser, each status has one. */
function partsOf(
  worldId: string,
  { status, user_id, fingerprint_id }: StoredDeviceFilter,
): readonly RawBuilder<unknown>[] {
  if (user_id) return [sql`user_id = ${user_id} and merged_into is null`];
  if (fingerprint_id) return [sql`identity_id = ${rootOf(worldId, fingerprint_id)} and merged_into is null`];
  // Repeats the conditions of the partial indexes, or the planner would not use them.
  return (status ? [status] : statuses).map((one) =>
    one === 'attached'
      ? sql`status = 'attached' and merged_into is null`
      : sql`status <> 'attached' and status = ${sql.lit(one)} and merged_into is null`,
  );
}

function rootOf(worldId: string, identityId: string): RawBuilder<unknown> {
  return sql`(
    select coalesce(i.merged_into, i.id) from identities i where i.world_id = ${worldId} and i.id = ${identityId}
  )`;
}

function conditionsOf(worldId: string, filter: StoredDeviceFilter) {
  const { hardware_id, trusted, proven, disowned, kind, os, browser, ip } = filter;
  return [
    hardware_id && hasHardware(worldId, hardware_id),
    trusted !== undefined && sql`(trusted or whitelisted) = ${sql.lit(trusted)}`,
    proven !== undefined && sql`proven = ${sql.lit(proven)}`,
    disowned !== undefined && sql`(disowned_at is not null) = ${sql.lit(disowned)}`,
    kind && sql`kind = ${kind}`,
    os && sql`lower(info ->> 'os') = ${os}`,
    browser && sql`lower(info ->> 'browser') = ${browser}`,
    ip && addressIs('last_ip', ip),
  ];
}
