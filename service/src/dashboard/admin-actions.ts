import { validate as isUuid } from 'uuid';
import type { FeedbackLabel, FeedbackRequest, UpdateDeviceRequest, UserStatus } from 'whorl/wire';
import { changeLabel, recordFeedback, undoLabel } from '../evaluation/feedback.js';
import type { AdminActionName, BulkItem } from '../ground/db/schema/index.js';
import { ApiError } from '../ground/errors.js';
import { type NamedOrigin, recordInWorld } from '../resources/audit/audit.js';
import { detach } from '../resources/devices/detaching.js';
import { type DeviceRow, listDevicesToDetach } from '../resources/devices/queries/devices.js';
import { deviceChanges, updateHeldDevice } from '../resources/devices/update.js';
import { type HeldDevice, withDevice } from '../resources/devices/with-device.js';
import type { LoggedChanges } from '../resources/projects/rules/project-settings/log.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserById } from '../resources/users/queries/users.js';
import { statusChange, updateHeldUser } from '../resources/users/update.js';
import { type HeldUser, withUser } from '../resources/users/with-user.js';

/** The member who acts on the dashboard, and the world in which they act. */
export interface Actor {
  readonly caller: Caller;
  readonly origin: NamedOrigin;
  /** Called in the transaction of each change of a user, a device or a label, with what was changed. Default: nothing. */
  readonly onChange?: (work: UnitOfWork, changed: BulkItem) => Promise<void>;
  /**
   * Asked with a locked user, device or evaluation, also if the change would have no effect. False leaves it as it is.
   * Default: true.
   */
  readonly mayChange?: (work: UnitOfWork, row: LockedRow) => Promise<boolean>;
}

export interface LockedRow {
  readonly id: string;
  /** ID of the user. Null for an evaluation that belongs to none. */
  readonly user: string | null;
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
    const changes = await act(held, action, actor);
    if (changes) {
      await actor.onChange?.(work, { id: device.id, user: user.id, from: device.status });
      await recordInWorld(work, { ...actor.origin, kind: action, subject: device.id, userId: user.id, changes });
    }
    return { deviceId: device.id, userId: user.id, isChanged: changes !== undefined };
  });
}

/** Returns what changed; undefined if the action had no effect. */
async function act(held: HeldDevice, action: DeviceAction, actor: Actor): Promise<LoggedChanges | undefined> {
  const { work, device, user } = held;
  if (!(await mayChange(actor, work, { id: device.id, user: user.id }))) return undefined;
  if (action === 'detach') {
    const detached = await detach(work, held, 'detach');
    return detached === device ? undefined : { status: { from: device.status, to: detached.status } };
  }
  const { request, hasNoEffect } = deviceUpdates[action];
  if (hasNoEffect(device)) return undefined;
  return deviceChanges(device, await updateHeldDevice(held, request));
}

/**
 * Lifts the block of a device, which is attached again if it was before the block, and otherwise detached.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoBlock(service: Service, actor: Actor, { id, from }: BulkItem): Promise<void> {
  await withDevice(service, actor.caller, id, async (held) => {
    const { work, device, user } = held;
    if (!(await mayChange(actor, work, { id: device.id, user: user.id }))) return;
    if (device.status !== 'blocked') return;
    // Lifting a block attaches a device. One that was not attached before must not gain that.
    const unblocked =
      from === 'attached'
        ? await updateHeldDevice(held, { status: 'attached' })
        : await detach(work, { device: { ...device, status: 'attached' }, user }, 'detach');
    const about = { subject: device.id, userId: user.id, changes: deviceChanges(device, unblocked) };
    await recordInWorld(work, { ...actor.origin, ...about, kind: 'unblock' });
  });
}

/**
 * Suspends or reactivates a user, and records who did it in the audit log.
 *
 * @throws {ApiError} `not_found`
 */
export async function setUserStatus(service: Service, actor: Actor, id: string, status: UserStatus): Promise<void> {
  await withUserOfId(service, actor, id, async (held) => {
    const { work, user } = held;
    if (!(await mayChange(actor, work, { id: user.id, user: user.id }))) return;
    if (user.status === status) return;
    await updateHeldUser(held, { status });
    const kind = status === 'suspended' ? 'suspend' : 'activate';
    const changes = statusChange(user.status, status);
    const about = { subject: user.id, userId: user.id };
    await actor.onChange?.(work, { id: user.id, user: user.id, from: user.status });
    await recordInWorld(work, { ...actor.origin, ...about, kind, changes });
  });
}

/** Maximum number of devices that are signed out in one transaction, which keeps the user locked. */
const devicesAtOnce = 20;

/**
 * Signs out all devices of a user, as detaching each of them does, with the same events and entries in the audit log.
 * Blocked devices stay blocked.
 *
 * @throws {ApiError} `not_found`
 */
export async function endSessions(service: Service, actor: Actor, id: string): Promise<void> {
  let isFirst = true;
  while ((await detachSome(service, actor, id, isFirst)) === devicesAtOnce) isFirst = false;
}

function detachSome(service: Service, actor: Actor, id: string, isFirst: boolean): Promise<number> {
  return withUserOfId(service, actor, id, async ({ work, user }) => {
    const devices = await listDevicesToDetach(work.db, user, devicesAtOnce);
    if (isFirst && devices.length > 0) await actor.onChange?.(work, { id: user.id, user: user.id });
    for (const device of devices) {
      const changes = await act({ work, device, user }, 'detach', actor);
      const about = { subject: device.id, userId: user.id };
      await recordInWorld(work, { ...actor.origin, ...about, kind: 'detach', changes });
    }
    return devices.length;
  });
}

async function withUserOfId<Result>(
  service: Service,
  { caller }: Actor,
  id: string,
  act: (held: HeldUser) => Promise<Result>,
): Promise<Result> {
  const named = isUuid(id) ? await findUserById(service.db, caller.worldId, id) : undefined;
  if (!named) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  // By external ID, since an ID could also be another user's external ID.
  return withUser(service, caller, named.external_id, act);
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

/**
 * Labels an evaluation that does not have this label, and keeps its note.
 *
 * @throws {ApiError} `not_found`
 */
export async function labelOneOfMany(service: Service, actor: Actor, id: string, label: FeedbackLabel): Promise<void> {
  await inTransaction(service, actor.caller, async (work) => {
    const replaced = await changeLabel(work, id, label, actor.origin);
    if (!replaced) return;
    const { label: from, userId: user, waited } = replaced;
    await actor.onChange?.(work, { id, ...(user !== null && { user }), ...(from !== null && { from }), waited });
  });
}

/**
 * Takes back a label that `labelOneOfMany` gave.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoLabelOfOne(
  service: Service,
  actor: Actor,
  { id, from, waited = false }: BulkItem,
): Promise<void> {
  const label = from === 'fraud' || from === 'legitimate' ? from : null;
  await inTransaction(service, actor.caller, async (work) => {
    const mayUndo = (user: string | null) => mayChange(actor, work, { id, user });
    await undoLabel(work, { id, label, waited, mayUndo }, actor.origin);
  });
}

async function mayChange(actor: Actor, work: UnitOfWork, row: LockedRow): Promise<boolean> {
  return (await actor.mayChange?.(work, row)) ?? true;
}
