import { validate as isUuid } from 'uuid';
import type { FeedbackRequest, UpdateDeviceRequest, UserStatus } from 'whorl/wire';
import { recordFeedback } from '../evaluation/evaluations.js';
import type { AdminActionName, BulkItem } from '../ground/db/schema/index.js';
import { ApiError } from '../ground/errors.js';
import { type NamedOrigin, recordInWorld } from '../resources/audit/audit.js';
import { detach } from '../resources/devices/detaching.js';
import type { DeviceRow } from '../resources/devices/queries/devices.js';
import { deviceChanges, updateHeldDevice } from '../resources/devices/update.js';
import { type HeldDevice, withDevice } from '../resources/devices/with-device.js';
import type { LoggedChanges } from '../resources/projects/rules/project-settings/log.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserById } from '../resources/users/queries/users.js';
import { statusChange, updateHeldUser } from '../resources/users/update.js';
import { withUser } from '../resources/users/with-user.js';

/** The member who acts on the dashboard, and the world in which they act. */
export interface Actor {
  readonly caller: Caller;
  readonly origin: NamedOrigin;
  /** Called in the transaction of each change of a user or a device, with what was changed. Default: nothing. */
  readonly onChange?: (work: UnitOfWork, changed: BulkItem) => Promise<void>;
}

/** The API request behind each device action, and when the action would change nothing. */
const deviceUpdates = {
  block: { request: { status: 'blocked' }, hasNoEffect: ({ status }) => status === 'blocked' },
  unblock: { request: { status: 'attached' }, hasNoEffect: ({ status }) => status !== 'blocked' },
  trust: {
    request: { whitelisted: true },
    hasNoEffect: ({ status, whitelisted }) => status === 'blocked' || whitelisted,
  },
  distrust: { request: { whitelisted: false }, hasNoEffect: ({ whitelisted }) => !whitelisted },
} as const satisfies Partial<Record<AdminActionName, DeviceUpdate>>;

interface DeviceUpdate {
  readonly request: UpdateDeviceRequest;
  readonly hasNoEffect: (device: DeviceRow) => boolean;
}

export type DeviceAction = 'detach' | keyof typeof deviceUpdates;

export function isDeviceAction(name: string): name is DeviceAction {
  return name === 'detach' || Object.hasOwn(deviceUpdates, name);
}

/** The device of an action, and its user. */
export interface ActedOn {
  readonly deviceId: string;
  readonly userId: string;
  /** False if the action had no effect: a form can be sent twice, or from a page that is out of date. */
  readonly isChanged: boolean;
}

/**
 * Changes a device as the API does, with the same events, and records who did it in the audit log. Returns the device's
 * user.
 *
 * @throws {ApiError} `not_found`
 */
export async function actOnDevice(service: Service, actor: Actor, id: string, action: DeviceAction): Promise<ActedOn> {
  const { caller } = actor;
  return withDevice(service, caller, id, async (held) => {
    const { work, device, user } = held;
    const changes = await act(held, action);
    if (changes) {
      await actor.onChange?.(work, { id: device.id, user: user.id, from: device.status });
      await recordInWorld(work, { ...actor.origin, kind: action, subject: device.id, userId: user.id, changes });
    }
    return { deviceId: device.id, userId: user.id, isChanged: changes !== undefined };
  });
}

/** Returns what changed; undefined if the action had no effect. */
async function act(held: HeldDevice, action: DeviceAction): Promise<LoggedChanges | undefined> {
  const { work, device } = held;
  if (action === 'detach') {
    const detached = await detach(work, held, 'detach');
    return detached === device ? undefined : { status: { from: device.status, to: detached.status } };
  }
  const { request, hasNoEffect } = deviceUpdates[action];
  if (hasNoEffect(device)) return undefined;
  return deviceChanges(device, await updateHeldDevice(held, request));
}

/**
 * Suspends or reactivates a user, and records who did it in the audit log.
 *
 * @throws {ApiError} `not_found`
 */
export async function setUserStatus(service: Service, actor: Actor, id: string, status: UserStatus): Promise<void> {
  const { caller } = actor;
  const named = isUuid(id) ? await findUserById(service.db, caller.worldId, id) : undefined;
  if (!named) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  // By external ID, since an ID could also be another user's external ID.
  await withUser(service, caller, named.external_id, async (held) => {
    if (held.user.status === status) return;
    await updateHeldUser(held, { status });
    const kind = status === 'suspended' ? 'suspend' : 'activate';
    const changes = statusChange(held.user.status, status);
    const about = { subject: held.user.id, userId: held.user.id };
    await actor.onChange?.(held.work, { id: held.user.id, user: held.user.id, from: held.user.status });
    await recordInWorld(held.work, { ...actor.origin, ...about, kind, changes });
  });
}

/**
 * Labels an evaluation as the API does, and records who did it in the audit log.
 *
 * @throws {ApiError} `not_found`
 */
export async function labelEvaluation(
  service: Service,
  actor: Actor,
  id: string,
  feedback: FeedbackRequest,
): Promise<void> {
  await inTransaction(service, actor.caller, (work) => recordFeedback(work, id, feedback, actor.origin));
}
