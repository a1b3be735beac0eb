import type { DeviceSuccess, NoticeKind } from 'whorl/wire';
import { type Origin, recordInWorld } from '../audit/audit.js';
import { loadChallengeView } from '../challenges/present.js';
import { skipChallengesOfUser } from '../challenges/queries.js';
import { emit } from '../events/emit.js';
import type { Caller, Service, UnitOfWork } from '../service.js';
import { toUserSummary } from '../users/present.js';
import { changeUser, type UserRow } from '../users/queries/users.js';
import { toDevice } from './present.js';
import { changeDevice, type DeviceRow } from './queries/devices.js';
import { updateHeldDevice } from './update.js';
import { requireUser, withDevice } from './with-device.js';

/**
 * Records that a user does not recognise a device (`POST /v2/device/:id/disown`), as `disown`. Repeating it changes
 * nothing.
 *
 * @throws {ApiError} `not_found`, also if `user` is set and is not the device's user.
 */
export async function disownDevice(
  service: Service,
  caller: Caller,
  id: string,
  request: { readonly user?: string | undefined },
  origin: Origin,
): Promise<DeviceSuccess> {
  return withDevice(service, caller, id, async ({ work, device, user }) => {
    requireUser(user, request);
    const blocked = await disown(work, { user, device, origin });
    return { success: true, device: toDevice(caller, blocked ?? device, user) };
  });
}

interface Disowning {
  readonly user: UserRow;
  /** Undefined if what the user does not recognise came from no device of theirs. */
  readonly device: DeviceRow | undefined;
  readonly origin: Origin;
  /** What the message was about whose link was used. */
  readonly notice?: NoticeKind;
}

/**
 * Blocks the device that a user does not recognise, which ends its sessions, closes all open challenges of the user, marks
 * the account as compromised, and emits `device.disowned`. Does nothing for a device that is still blocked for this. The
 * user must be locked.
 */
export async function disown(
  work: UnitOfWork,
  { user, device, origin, notice }: Disowning,
): Promise<DeviceRow | undefined> {
  if (device?.status === 'blocked' && device.disowned_at) return device;
  const { worldId } = work.caller;
  const at = work.now();
  const blocked = device && (await block(work, user, device));
  for (const skipped of await skipChallengesOfUser(work.db, worldId, user.id)) {
    const challenge = await loadChallengeView(work, skipped);
    await emit(work, 'challenge.skipped', { challenge, cause: 'disowned' }, { userId: user.id });
  }
  await changeUser(work.db, worldId, user.id, { disowned_at: at, updated_at: at });
  const about = { ...(blocked && { device: toDevice(work.caller, blocked, user) }), ...(notice && { notice }) };
  await emit(work, 'device.disowned', { user: toUserSummary(work, user), ...about }, { userId: user.id });
  const changes = device && { status: { from: device.status, to: 'blocked' } };
  const details = notice && { message: notice };
  await recordInWorld(work, {
    ...origin,
    kind: 'disown',
    userId: user.id,
    subject: device?.id ?? user.id,
    changes,
    details,
  });
  return blocked;
}

async function block(work: UnitOfWork, user: UserRow, device: DeviceRow): Promise<DeviceRow> {
  if (device.status !== 'blocked') await updateHeldDevice({ work, device, user }, { status: 'blocked' });
  return changeDevice(work.db, device, { disowned_at: work.now() }, work.now());
}
