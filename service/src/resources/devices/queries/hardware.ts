import { sql } from 'kysely';
import type { DeviceStatus } from 'whorl/wire';
import type { PageOfRows, PageRequest } from '../../../ground/db/paging.js';
import { statement } from '../../../ground/db/statement.js';
import type { Database } from '../../service.js';
import type { DeviceRow } from './devices.js';
import { hardwareKeyOf } from './hardware-condition.js';

interface HardwareLookup {
  readonly worldId: string;
  readonly hardwareId: string;
  readonly hardwareKey: string;
  /** Network whose users are counted; null for none. */
  readonly network: string | null;
  readonly dayAgo: Date;
  /** Whether a device with this hardware is recorded, so that its ID must be found by a search from now on. */
  readonly isRecorded: boolean;
}

/** Number of devices with the same hardware, and of users with it at one network. */
export interface HardwareCounts {
  readonly devices: number;
  /** Null without a network. */
  readonly users: number | null;
}

/** Maximum number of users at the network whose devices are read. */
const maxUsers = 100;

/** Maximum number of a user's devices, and of fingerprints of a device, that are read. */
const maxDevices = 20;

/**
 * The hardware of a known device can change, and then has no crowd yet. The limits inside `exists` make the planner start
 * with the users and not with the crowd, which may be large.
 */
const selectHardwareCounts = statement<HardwareLookup, HardwareCounts>()`
  with counted as (
    select coalesce(sum(c.devices), 0)::int as devices, count(*) as shards from crowds c
    where c.world_id = ${'worldId'}::uuid and c.hardware_id = ${'hardwareId'}::uuid
  ), added as (
    insert into crowds (world_id, hardware_key, hardware_id, shard, devices)
    select ${'worldId'}::uuid, ${'hardwareKey'}::text, ${'hardwareId'}::uuid, 0, 0 from counted
    where counted.shards = 0 and ${'isRecorded'}::boolean
    on conflict do nothing
  )
  select devices, case when ${'network'}::text is not null then (
    select count(*)::int from (
      select a.user_id from user_addresses a
      where a.world_id = ${'worldId'}::uuid and a.network = ${'network'}::text and a.seen_at > ${'dayAgo'}::timestamptz
      order by a.seen_at desc limit ${maxUsers}
    ) u where exists (
      select from (
        select d.identity_id from devices d
        where d.world_id = ${'worldId'}::uuid and d.user_id = u.user_id and d.merged_into is null limit ${maxDevices}
      ) d, lateral (
        select v.hardware_key from variants v
        where v.world_id = ${'worldId'}::uuid and v.identity_id = d.identity_id
        order by v.last_seen_at desc limit ${maxDevices}
      ) v where v.hardware_key = ${'hardwareKey'}::text
    )
  ) end as users
  from counted`;

/** Returns how many devices have the same hardware, and how many users with it were seen at a network today. */
export async function countHardware(db: Database, lookup: HardwareLookup): Promise<HardwareCounts> {
  const [counts] = await selectHardwareCounts(db, lookup);
  return counts ?? { devices: 0, users: null };
}

/** Returns the newest fingerprint of each of some devices. */
export async function fingerprintsOfDevices(
  db: Database,
  worldId: string,
  deviceIds: readonly string[],
): Promise<{ id: string; fingerprint: string }[]> {
  return db
    .selectFrom('devices as d')
    .innerJoin('variants as v', (join) =>
      join.onRef('v.world_id', '=', 'd.world_id').onRef('v.id', '=', 'd.variant_id'),
    )
    .select(['d.id', 'v.fingerprint'])
    .where('d.world_id', '=', worldId)
    .where('d.id', 'in', [...deviceIds])
    .execute();
}

/** Returns the number of recorded devices by hardware ID. IDs without any are omitted. */
export async function sizesOfHardware(
  db: Database,
  worldId: string,
  hardwareIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; devices: number }>`
    select hardware_id as id, sum(devices)::int as devices from crowds
    where world_id = ${worldId} and hardware_id in (${sql.join([...hardwareIds])})
    group by hardware_id
  `.execute(db);
  return new Map(rows.map(({ id, devices }) => [id, devices]));
}

/** Maximum number of browsers whose devices are listed, the most recently seen. */
const maxBrowsers = 1000;

/** Maximum number of devices of one browser that are listed. A browser has a device for each of its users. */
const maxDevicesPerBrowser = 100;

/** Returns the devices of all users whose browsers were seen with this hardware, newest first. */
export async function listDevicesOfHardware(
  db: Database,
  worldId: string,
  {
    hardware_id: hardwareId,
    status,
    page,
    limit,
  }: PageRequest & { readonly hardware_id: string; readonly status?: DeviceStatus | undefined },
): Promise<PageOfRows<DeviceRow & { external_id: string }>> {
  const matching = sql`(
    select distinct identity_id from (
      select v.identity_id from variants v
      where v.world_id = ${worldId} and v.hardware_key = ${hardwareKeyOf(worldId, hardwareId)}
      order by v.last_seen_at desc limit ${sql.lit(maxBrowsers)}
    ) newest
  ) i, lateral (
    select * from devices x
    where x.world_id = ${worldId} and x.identity_id = i.identity_id and x.merged_into is null
      and x.status = coalesce(${status ?? null}::text, x.status)
    order by x.last_seen_at desc limit ${sql.lit(maxDevicesPerBrowser)}
  ) d`;
  const { rows } = await sql<DeviceRow & { external_id: string }>`
    select d.*, u.external_id from ${matching}
    join users u on u.world_id = ${worldId} and u.id = d.user_id
    order by d.created_at desc, d.id desc limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from ${matching}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}
