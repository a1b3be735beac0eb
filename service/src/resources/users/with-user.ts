import { lockUser } from '../../ground/db/locks.js';
import { type ApiError, noSuch } from '../../ground/errors.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../service.js';
import { findUser, findUserByExternalId, insertUser, type UserRow } from './queries/users.js';

/** Locked user: no other transaction changes it. */
export interface HeldUser {
  readonly work: UnitOfWork;
  readonly user: UserRow;
}

/**
 * Runs an operation on one user in a new transaction that locks the user.
 *
 * @throws {ApiError} `not_found`
 */
export async function withUser<Result>(
  service: Service,
  caller: Caller,
  userId: string,
  act: (held: HeldUser) => Promise<Result>,
): Promise<Result> {
  return inTransaction(service, caller, async (work) => {
    const { worldId } = caller;
    const named = await findUser(work.db, worldId, userId);
    if (!named) throw notFound();
    await lockUser(work.db, worldId, named.external_id);
    const user = await findUser(work.db, worldId, userId);
    // The user was erased while this waited for the lock.
    if (user?.id !== named.id) throw notFound();
    return act({ work, user });
  });
}

/** Locked user, and whether it was created for this operation. */
export interface HeldOrNewUser extends HeldUser {
  readonly isNew: boolean;
}

/**
 * Runs an operation on one user in a new transaction. A user that does not exist is created, with the name as its
 * `external_id`.
 */
export async function withUserOrNew<Result>(
  service: Service,
  caller: Caller,
  name: string,
  act: (held: HeldOrNewUser) => Promise<Result>,
): Promise<Result> {
  const { worldId } = caller;
  const outcome = await inTransaction(service, caller, async (work) => {
    const externalId = (await findUser(work.db, worldId, name))?.external_id ?? name;
    await lockUser(work.db, worldId, externalId);
    const user = await findUserByExternalId(work.db, worldId, externalId);
    if (user) return { result: await act({ work, user, isNew: false }) };
    // The user was named by the service's ID and deleted while this waited. The name now means nothing, and a different
    // lock is needed.
    if (externalId !== name) return undefined;
    return { result: await act({ work, user: await createUser(work, name), isNew: true }) };
  });
  return outcome ? outcome.result : withUserOrNew(service, caller, name, act);
}

async function createUser(work: UnitOfWork, externalId: string): Promise<UserRow> {
  const { worldId } = work.caller;
  const at = work.now();
  await insertUser(work.db, {
    id: work.newId(),
    world_id: worldId,
    external_id: externalId,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  const user = await findUserByExternalId(work.db, worldId, externalId);
  if (!user) throw new Error('The user was not found after it was created.');
  return user;
}

function notFound(): ApiError {
  return noSuch('user');
}
