import type { DetachCause } from 'whorl/wire';
import { emit } from '../events/emit.js';
import type { Caller, Transaction, UnitOfWork } from '../service.js';
import { countRevocation, type UserRow } from '../users/queries/users.js';
import { toDevice } from './present.js';
import { notifyEnded } from './queries/device-ends.js';
import { revokeDeviceKeys } from './queries/device-keys.js';
import { changeDevice, type DeviceRow, removeDeviceVariants } from './queries/devices.js';
import { afterDetach } from './rules/changes.js';

export interface DeviceOfUser {
  readonly device: DeviceRow;
  readonly user: Pick<UserRow, 'external_id'>;
}

/**
 * Detaches a device and emits `device.detached`. Does neither if the device is already detached. The user must be locked.
 */
export async function detach(
  work: UnitOfWork<Transaction, Pick<Caller, 'worldId' | 'project' | 'mode'>>,
  { device, user }: DeviceOfUser,
  cause: DetachCause,
): Promise<DeviceRow> {
  const { db: trx, caller } = work;
  const change = afterDetach(device, cause, work.now());
  if (!change) return device;
  const at = work.now();
  const revoked = cause === 'auto_detach' ? {} : await revokeTrust(trx, device, at);
  const detached = await changeDevice(trx, device, { ...change, ...revoked, ended_at: at, end_cause: cause }, at);
  await notifyEnded(trx, device.id);
  const data = { device: toDevice(caller, detached, user), cause };
  await emit(work, 'device.detached', data, { userId: device.user_id });
  return detached;
}

/**
 * Removes the fingerprints and keys that a device is trusted with, and increments the user's revocations, so that
 * earlier claims and challenges no longer take effect. The user must be locked.
 */
export async function revokeTrust(
  trx: Transaction,
  { id, world_id, user_id }: DeviceRow,
  at: Date,
): Promise<{ readonly revocation: number }> {
  await removeDeviceVariants(trx, world_id, id);
  await revokeDeviceKeys(trx, world_id, id, at);
  return { revocation: await countRevocation(trx, world_id, user_id) };
}
