import type { Device, UpdateDeviceRequest } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import { type Origin, recordInWorld } from '../audit/audit.js';
import type { AuditKind } from '../audit/rules/audit.js';
import type { LoggedChanges } from '../projects/rules/project-settings/log.js';
import type { Caller, Service } from '../service.js';
import { revokeTrust } from './detaching.js';
import { toDevice } from './present.js';
import { notifyEnded } from './queries/device-ends.js';
import { changeDevice, coverNewestVariant } from './queries/devices.js';
import { afterUpdate } from './rules/changes.js';
import { type HeldDevice, requireUser, withDevice } from './with-device.js';

/**
 * Blocks, attaches, whitelists or names a device (`POST /v2/device/:id/update`). Blocking removes all its trust, and
 * unblocking does not restore it.
 *
 * @throws {ApiError} `not_found`, also if `user` is set and is not the device's user; `invalid_request` if the device
 *   is to be blocked and whitelisted at once.
 */
export async function updateDevice(
  service: Service,
  caller: Caller,
  id: string,
  request: UpdateDeviceRequest,
  origin: Origin,
): Promise<Device> {
  if (request.status === 'blocked' && request.whitelisted) {
    const message = 'cannot be true together with the status "blocked"';
    throw new ApiError('invalid_request', { errors: [{ path: 'whitelisted', message }] });
  }
  return withDevice(service, caller, id, async (held) => {
    const { work, device, user } = held;
    requireUser(user, request);
    const updated = await updateHeldDevice(held, request);
    const changes = deviceChanges(device, updated);
    if (changes) {
      const kind = kindOfChange(device, updated);
      await recordInWorld(work, { ...origin, kind, userId: user.id, subject: device.id, changes });
    }
    return updated;
  });
}

type DeviceState = Pick<Device, 'status' | 'whitelisted'> & { readonly name?: string | null | undefined };

/** Returns what changed in a device, for the audit log; undefined if nothing did. */
export function deviceChanges(from: DeviceState, to: DeviceState): LoggedChanges | undefined {
  const changes = {
    ...(from.status !== to.status && { status: { from: from.status, to: to.status } }),
    ...(from.whitelisted !== to.whitelisted && { whitelisted: { from: from.whitelisted, to: to.whitelisted } }),
    // A name is personal data, which the audit log does not store.
    ...((from.name ?? null) !== (to.name ?? null) && { name: { from: '', to: 'changed' } }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function kindOfChange(from: DeviceState, to: DeviceState): AuditKind {
  if (from.status !== to.status && to.status === 'blocked') return 'block';
  if (from.status !== to.status && from.status === 'blocked') return 'unblock';
  if (from.whitelisted === to.whitelisted) return 'device_updated';
  return to.whitelisted ? 'trust' : 'distrust';
}

/** Changes a device that is already locked, like `updateDevice`. */
export async function updateHeldDevice(
  { work, device, user }: HeldDevice,
  request: UpdateDeviceRequest,
): Promise<Device> {
  const { caller } = work;
  const change = afterUpdate(request);
  if (Object.keys(change).length === 0) return toDevice(caller, device, user);
  const at = work.now();
  if (request.status === 'blocked') {
    const revoked = await revokeTrust(work.db, device, at);
    const ended = { ended_at: at, end_cause: 'block' } as const;
    const blocked = await changeDevice(work.db, device, { ...change, ...revoked, ...ended }, at);
    await notifyEnded(work.db, device.id);
    return toDevice(caller, blocked, user);
  }
  const changed = await changeDevice(work.db, device, change, at);
  if (request.status === 'attached' || request.whitelisted)
    await coverNewestVariant(work.db, device.world_id, device.id);
  return toDevice(caller, changed, user);
}
