import type { Device, DeviceLimit } from 'whorl/wire';
import type { Caller, Database } from '../service.js';
import type { UserRow } from '../users/queries/users.js';
import { type DeviceRow, findLimit } from './queries/devices.js';
import { deviceLimit } from './rules/device.js';

/** World and project that a device is shown in. */
type World = Pick<Caller, 'mode'> & { readonly project: { readonly id: string } };

/** Returns a device in the form of the API. */
export function toDevice({ project, mode }: World, row: DeviceRow, user: Pick<UserRow, 'external_id'>): Device {
  return {
    _id: row.id,
    user: row.user_id,
    external_user: user.external_id,
    project: project.id,
    ...(row.name !== null && { name: row.name }),
    info: row.info,
    status: row.status,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    __v: row.revision,
    auto_detached: row.auto_detached,
    ...(row.detached_at && { detached_at: row.detached_at.toISOString() }),
    fingerprint_id: row.identity_id,
    trusted: row.trusted || row.whitelisted,
    proven: row.proven,
    whitelisted: row.whitelisted,
    dev: mode === 'test',
    last_seen_at: row.last_seen_at.toISOString(),
    ...(row.last_ip !== null && { last_ip: row.last_ip }),
  };
}

/**
 * Returns the numbers of a user's attached devices, and whether a limit is exceeded with the given device included.
 * Without a user, the numbers are 0.
 */
export async function loadDeviceLimit(
  db: Database,
  { worldId, settings }: Caller,
  userId: string | undefined,
  deviceId: string | undefined,
): Promise<DeviceLimit> {
  const { attached, device } = await findLimit(db, worldId, { userId, deviceId });
  return deviceLimit(
    attached,
    settings.device_limit,
    device && { kind: device.kind, isAttached: device.status === 'attached' },
  );
}
