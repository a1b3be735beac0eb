import { lockUser } from '../../ground/db/locks.js';
import { type ApiError, noSuch } from '../../ground/errors.js';
import { type Caller, inTransaction, type Scope, type Service } from '../service.js';
import { findUser, findUserByExternalId, insertUser, type UserRow } from './queries/users.js';

/** Locked user: no other transaction changes it. */
export interface HeldUser {
  readonly scope: Scope;
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
  return inTransaction(service, caller, async (scope) => {
    const { worldId } = caller;
    const named = await findUser(scope.db, worldId, userId);
    if (!named) throw notFound();
    await lockUser(scope.db, worldId, named.external_id);
    const user = await findUser(scope.db, worldId, userId);
    // The user was erased while this waited for the lock.
    if (user?.id !== named.id) throw notFound();
    return act({ scope, user });
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
  const outcome = await inTransaction(service, caller, async (scope) => {
    const externalId = (await findUser(scope.db, worldId, name))?.external_id ?? name;
    await lockUser(scope.db, worldId, externalId);
    const user = await findUserByExternalId(scope.db, worldId, externalId);
    if (user) return { result: await act({ scope, user, isNew: false }) };
    // The user was named by the service's ID and deleted while this waited. The name now means nothing, and a different
    // lock is needed.
    if (externalId !== name) return undefined;
    return { result: await act({ scope, user: await createUser(scope, name), isNew: true }) };
  });
  return outcome ? outcome.result : withUserOrNew(service, caller, name, act);
}

async function createUser(scope: Scope, externalId: string): Promise<UserRow> {
  const { worldId } = scope.caller;
  const at = scope.now();
  await insertUser(scope.db, {
    id: scope.newId(),
    world_id: worldId,
    external_id: externalId,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  const user = await findUserByExternalId(scope.db, worldId, externalId);
  if (!user) throw new Error('The user was not found after it was created.');
  return user;
}

function notFound(): ApiError {
  return noSuch('user');
}
