import { validate as isUuid } from 'uuid';
import type { FeedbackRequest, UpdateDeviceRequest, UserStatus } from 'whorl/wire';
import { administrator, recordAudit } from '../audit/audit.js';
import type { AdminActionName } from '../db/schema/index.js';
import { detach } from '../devices/detaching.js';
import type { DeviceRow } from '../devices/queries/devices.js';
import { updateHeldDevice } from '../devices/update.js';
import { type HeldDevice, withDevice } from '../devices/with-device.js';
import { ApiError } from '../errors.js';
import { keepFeedback } from '../evaluation/evaluations.js';
import type { Caller, Service, Transaction } from '../service.js';
import { findUserById } from '../users/queries/users.js';
import { updateHeldUser } from '../users/update.js';
import { withUser } from '../users/with-user.js';

/** Whoever does something on the dashboard, in a world. */
export interface Actor {
  readonly caller: Caller;
  readonly adminId: string;
}

/** What can be done to a device, what the API calls it, and where nothing is left to do. */
const deviceUpdates = {
  block: { request: { status: 'blocked' }, isMoot: ({ status }) => status === 'blocked' },
  unblock: { request: { status: 'attached' }, isMoot: ({ status }) => status !== 'blocked' },
  trust: { request: { whitelisted: true }, isMoot: ({ status, whitelisted }) => status === 'blocked' || whitelisted },
  distrust: { request: { whitelisted: false }, isMoot: ({ whitelisted }) => !whitelisted },
} as const satisfies Partial<Record<AdminActionName, DeviceUpdate>>;

interface DeviceUpdate {
  readonly request: UpdateDeviceRequest;
  readonly isMoot: (device: DeviceRow) => boolean;
}

export type DeviceAction = 'detach' | keyof typeof deviceUpdates;

/** The device that something was to be done to, and its user. */
export interface ActedOn {
  readonly deviceId: string;
  readonly userId: string;
  /** False where nothing was left to do: a form may be sent twice, or be of a page from before others acted. */
  readonly isChanged: boolean;
}

/**
 * Does something to a device as the API does, with the same events, and writes down who did it. Answers whose device it
 * is.
 *
 * @throws {ApiError} `not_found`
 */
export async function actOnDevice(service: Service, actor: Actor, id: string, action: DeviceAction): Promise<ActedOn> {
  const { caller } = actor;
  return withDevice(service, caller, id, async (held) => {
    const { trx, device, user } = held;
    const isChanged = await act(held, service, caller, action);
    if (isChanged) await writeDown(trx, service, actor, { action, subject: device.id, userId: user.id });
    return { deviceId: device.id, userId: user.id, isChanged };
  });
}

async function act(held: HeldDevice, service: Service, caller: Caller, action: DeviceAction): Promise<boolean> {
  const { trx, device } = held;
  if (action === 'detach') return (await detach(trx, service, caller, held, 'detach')) !== device;
  const { request, isMoot } = deviceUpdates[action];
  if (isMoot(device)) return false;
  await updateHeldDevice(held, service, caller, request);
  return true;
}

/**
 * Suspends a user, or lifts that, and writes down who did it.
 *
 * @throws {ApiError} `not_found`
 */
export async function setUserStatus(service: Service, actor: Actor, id: string, status: UserStatus): Promise<void> {
  const { caller } = actor;
  const named = isUuid(id) ? await findUserById(service.db, caller.worldId, id) : undefined;
  if (!named) throw new ApiError('not_found', { detail: 'There is no user of this id.' });
  // By the customer's identifier: an id might be another user's identifier.
  await withUser(service, caller, named.external_id, async (held) => {
    if (held.user.status === status) return;
    await updateHeldUser(held, service, { status });
    const action = status === 'suspended' ? 'suspend' : 'activate';
    await writeDown(held.trx, service, actor, { action, subject: held.user.id, userId: held.user.id });
  });
}

/**
 * Says of an evaluation what became of it, as the API does, and writes down who said it.
 *
 * @throws {ApiError} `not_found`
 */
export async function labelEvaluation(
  service: Service,
  actor: Actor,
  id: string,
  feedback: FeedbackRequest,
): Promise<void> {
  await service.db.transaction().execute(async (trx) => {
    const userId = await keepFeedback(trx, actor.caller, id, feedback);
    await writeDown(trx, service, actor, { action: `label_${feedback.label}`, subject: id, userId });
  });
}

async function writeDown(
  trx: Transaction,
  service: Service,
  { caller, adminId }: Actor,
  done: { readonly action: AdminActionName; readonly subject: string; readonly userId: string | null },
): Promise<void> {
  await recordAudit(trx, service, {
    kind: done.action,
    by: administrator({ id: adminId }),
    projectId: caller.project.id,
    mode: caller.mode,
    userId: done.userId,
    subject: done.subject,
  });
}
