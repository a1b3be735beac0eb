import { validate as isUuid } from 'uuid';
import { lockUser } from '../../ground/db/locks.js';
import { ApiError, noSuch } from '../../ground/errors.js';
import { type Caller, type Database, inTransaction, type Service, type UnitOfWork } from '../service.js';
import { findUserById, type UserRow } from '../users/queries/users.js';
import { type DeviceRow, findDevice } from './queries/devices.js';

/** Locked device with its user. */
export interface HeldDevice {
  readonly work: UnitOfWork;
  readonly device: DeviceRow;
  readonly user: UserRow;
}

/**
 * Runs an operation on one device in a new transaction that locks its user.
 *
 * @throws {ApiError} `not_found`
 */
export async function withDevice<Result>(
  service: Service,
  caller: Caller,
  id: string,
  act: (held: HeldDevice) => Promise<Result>,
): Promise<Result> {
  return inTransaction(service, caller, async (work) => {
    const { user_id } = await mustFind(work.db, caller, id);
    const user = await findUserById(work.db, caller.worldId, user_id);
    if (!user) throw notFound();
    await lockUser(work.db, caller.worldId, user.external_id);
    // The user and the device may have been erased while this waited for the lock.
    const device = await mustFind(work.db, caller, id, { lock: true });
    return act({ work, device, user });
  });
}

async function mustFind(
  db: Database,
  { worldId }: Caller,
  id: string,
  options?: { readonly lock: boolean },
): Promise<DeviceRow> {
  const device = isUuid(id) ? await findDevice(db, worldId, id, options) : undefined;
  if (!device) throw notFound();
  return device;
}

/**
 * Requires that a device belongs to the user that a request names, if it names one.
 *
 * @throws {ApiError} `not_found`
 */
export function requireUser(
  user: Pick<UserRow, 'external_id'>,
  { user: expected }: { readonly user?: string | undefined },
): void {
  if (expected === undefined || expected === user.external_id) return;
  throw new ApiError('not_found', { detail: 'The user has no device with this id.' });
}

function notFound(): ApiError {
  return noSuch('device');
}
