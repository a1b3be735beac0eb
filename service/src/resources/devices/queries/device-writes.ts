import type { DeviceInfo, DeviceKind, DeviceStatus } from 'whorl/wire';
import { fragment, sentWithNext, statement } from '../../../ground/db/statement.js';
import type { Database, Transaction } from '../../service.js';
import { hardwareIdOfKey } from '../rules/hardware-id.js';

export interface NewDevice {
  readonly id: string;
  readonly worldId: string;
  readonly userId: string;
  readonly identityId: string;
  readonly variantId: string;
  readonly status: DeviceStatus;
  readonly info: DeviceInfo;
  readonly trusted: boolean;
  readonly ip: string | null;
  readonly network: string | null;
  readonly at: Date;
}

/**
 * The identity may have been merged since it was read, so this waits for a merge in progress. `for key share` would not
 * wait, and would lock the row as it was before the merge.
 */
const insertDeviceRow = statement<Omit<NewDevice, 'info'> & { readonly info: string; readonly kind: DeviceKind }>()`
  insert into devices (
    id, world_id, user_id, identity_id, variant_id, status, kind, info, metadata, trusted, whitelisted, auto_detached,
    last_ip, last_network, last_seen_at, created_at, updated_at
  )
  select ${'id'}::uuid, i.world_id, ${'userId'}::uuid, coalesce(i.merged_into, i.id),
    ${'variantId'}::uuid, ${'status'}::text, ${'kind'}::text, ${'info'}::jsonb, '{}', ${'trusted'}::boolean, false, false,
    ${'ip'}::text, ${'network'}::text, ${'at'}::timestamptz, ${'at'}::timestamptz, ${'at'}::timestamptz
  from identities i where i.world_id = ${'worldId'} and i.id = ${'identityId'} for share`;

export async function insertDevice(db: Database, { info, ...device }: NewDevice): Promise<void> {
  await insertDeviceRow(db, { ...device, info: JSON.stringify(info), kind: info.kind });
}

export interface SeenAddress {
  readonly userId: string;
  readonly worldId: string;
  readonly network: string;
  readonly at: Date;
  /** Null leaves the current value unchanged. */
  readonly trustedUntil: Date | null;
}

const address = fragment<SeenAddress>()`
  insert into user_addresses (user_id, world_id, network, seen_at, trusted_until)
  values (${'userId'}, ${'worldId'}, ${'network'}, ${'at'}, ${'trustedUntil'})
  on conflict (world_id, user_id, network) do update set
    seen_at = excluded.seen_at, trusted_until = coalesce(excluded.trusted_until, user_addresses.trusted_until)`;

/** Records that a user was seen at an address. */
export const touchAddress = statement<SeenAddress>()`${address}`;

const touchAddressToo = sentWithNext<SeenAddress>()`${address}`;

export interface SeenDevice {
  readonly worldId: string;
  readonly id: string;
  readonly variantId: string;
  readonly status: DeviceStatus;
  readonly info: DeviceInfo;
  readonly trusted: boolean;
  readonly ip: string | null;
  readonly at: Date;
}

interface Placed {
  readonly network: string | null;
}

const touchDeviceRow = sentWithNext<
  Omit<SeenDevice, 'info'> & Placed & { readonly info: string; readonly kind: DeviceKind }
>()`
  update devices set
    variant_id = ${'variantId'}, info = ${'info'}, kind = ${'kind'},
    last_ip = coalesce(${'ip'}::text, last_ip), last_network = coalesce(${'network'}::text, last_network),
    last_seen_at = ${'at'}::timestamptz,
    updated_at = case when status <> ${'status'}::text or (${'trusted'}::boolean and not trusted)
      then ${'at'}::timestamptz else updated_at end,
    revision = revision
      + case when status <> ${'status'}::text or (${'trusted'}::boolean and not trusted) then 1 else 0 end,
    auto_detached = auto_detached and ${'status'}::text = 'detached',
    detached_at = case when ${'status'}::text = 'detached' then detached_at end,
    trusted = trusted or ${'trusted'}::boolean,
    status = ${'status'}::text
  where world_id = ${'worldId'}::uuid and id = ${'id'}`;

/**
 * Records that a user's device was seen and, if known, its address. The device's revision is incremented only if its
 * status or trust changes. Two statements, because a distributed database sends each to one place only if it changes one
 * table; both are sent with the next one.
 */
export async function touchDevice(
  db: Transaction,
  { info, ...device }: SeenDevice,
  seen: SeenAddress | undefined,
): Promise<void> {
  const network = seen?.network ?? null;
  await touchDeviceRow(db, { ...device, info: JSON.stringify(info), kind: info.kind, network });
  if (seen) await touchAddressToo(db, seen);
}

const insertDeviceVariant = statement<{ worldId: string; deviceId: string; variantId: string }>()`
  insert into device_variants (world_id, device_id, variant_id)
  values (${'worldId'}, ${'deviceId'}, ${'variantId'}) on conflict do nothing`;

/** Adds a fingerprint to those that a device is trusted with. */
export async function addDeviceVariant(
  db: Database,
  worldId: string,
  deviceId: string,
  variantId: string,
): Promise<void> {
  await insertDeviceVariant(db, { worldId, deviceId, variantId });
}

const shards = 16;

/** Always updates the total (`''`) first, so that two transactions cannot deadlock. */
const addToCrowds = statement<{
  worldId: string;
  hardwareKey: string | null;
  hardwareId: string | null;
  shard: number;
}>()`
  insert into crowds (world_id, hardware_key, hardware_id, shard, devices)
  select ${'worldId'}::uuid, k.key, k.id, ${'shard'}::int, 1
  from (values ('', null), (${'hardwareKey'}::text, ${'hardwareId'}::uuid)) k (key, id)
  where k.key is not null order by k.key
  on conflict (world_id, hardware_key, shard) do update set devices = crowds.devices + 1`;

/** Counts a new device, by hardware and in total. The counters are sharded to avoid lock contention. */
export async function countDevice(db: Database, worldId: string, hardwareKey: string | undefined): Promise<void> {
  await addToCrowds(db, {
    worldId,
    hardwareKey: hardwareKey ?? null,
    hardwareId: hardwareKey === undefined ? null : hardwareIdOfKey(worldId, hardwareKey),
    shard: Math.floor(Math.random() * shards),
  });
}
