import { validate as isUuid } from 'uuid';
import type { FeedbackRequest, UpdateDeviceRequest, UserStatus } from 'whorl/wire';
import { storeFeedback } from '../evaluation/evaluations.js';
import type { AdminActionName } from '../ground/db/schema/index.js';
import { ApiError } from '../ground/errors.js';
import { administrator, recordAudit } from '../resources/audit/audit.js';
import { detach } from '../resources/devices/detaching.js';
import type { DeviceRow } from '../resources/devices/queries/devices.js';
import { updateHeldDevice } from '../resources/devices/update.js';
import { type HeldDevice, withDevice } from '../resources/devices/with-device.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserById } from '../resources/users/queries/users.js';
import { updateHeldUser } from '../resources/users/update.js';
import { withUser } from '../resources/users/with-user.js';

/** The administrator who acts on the dashboard, and the world in which they act. */
export interface Actor {
  readonly caller: Caller;
  readonly adminId: string;
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
    const isChanged = await act(held, action);
    if (isChanged) await recordAction(work, actor, { action, subject: device.id, userId: user.id });
    return { deviceId: device.id, userId: user.id, isChanged };
  });
}

async function act(held: HeldDevice, action: DeviceAction): Promise<boolean> {
  const { work, device } = held;
  if (action === 'detach') return (await detach(work, held, 'detach')) !== device;
  const { request, hasNoEffect } = deviceUpdates[action];
  if (hasNoEffect(device)) return false;
  await updateHeldDevice(held, request);
  return true;
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
    const action = status === 'suspended' ? 'suspend' : 'activate';
    await recordAction(held.work, actor, { action, subject: held.user.id, userId: held.user.id });
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
  await inTransaction(service, actor.caller, async (work) => {
    const userId = await storeFeedback(work.db, actor.caller, id, feedback);
    await recordAction(work, actor, { action: `label_${feedback.label}`, subject: id, userId });
  });
}

async function recordAction(
  work: UnitOfWork,
  { caller, adminId }: Actor,
  done: { readonly action: AdminActionName; readonly subject: string; readonly userId: string | null },
): Promise<void> {
  await recordAudit(work.db, work, {
    kind: done.action,
    by: administrator({ id: adminId }),
    projectId: caller.project.id,
    mode: caller.mode,
    userId: done.userId,
    subject: done.subject,
  });
}
