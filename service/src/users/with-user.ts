import { lockUser } from '../db/locks.js';
import { ApiError } from '../errors.js';
import { insertUser } from '../evaluation/queries/evaluation-writes.js';
import type { Caller, Service, Transaction } from '../service.js';
import { findUser, findUserByExternalId, type UserRow } from './queries/users.js';

/** Locked user: no other transaction changes it. */
export interface HeldUser {
  readonly trx: Transaction;
  readonly user: UserRow;
}

/**
 * Runs an operation on one user in a new transaction that locks the user.
 *
 * @throws {ApiError} `not_found`
 */
export async function withUser<Result>(
  service: Service,
  { worldId }: Caller,
  userId: string,
  act: (held: HeldUser) => Promise<Result>,
): Promise<Result> {
  return service.db.transaction().execute(async (trx) => {
    const named = await findUser(trx, worldId, userId);
    if (!named) throw notFound();
    await lockUser(trx, worldId, named.external_id);
    const user = await findUser(trx, worldId, userId);
    // The user was erased while this waited for the lock.
    if (user?.id !== named.id) throw notFound();
    return act({ trx, user });
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
  const outcome = await service.db.transaction().execute(async (trx) => {
    const externalId = (await findUser(trx, worldId, name))?.external_id ?? name;
    await lockUser(trx, worldId, externalId);
    const user = await findUserByExternalId(trx, worldId, externalId);
    if (user) return { result: await act({ trx, user, isNew: false }) };
    // The user was named by the service's ID and deleted while this waited. The name now means nothing, and a different
    // lock is needed.
    if (externalId !== name) return undefined;
    return { result: await act({ trx, user: await createUser(trx, service, caller, name), isNew: true }) };
  });
  return outcome ? outcome.result : withUserOrNew(service, caller, name, act);
}

async function createUser(
  trx: Transaction,
  service: Service,
  { worldId }: Caller,
  externalId: string,
): Promise<UserRow> {
  const at = service.now();
  await insertUser(trx, {
    id: service.newId(),
    world_id: worldId,
    external_id: externalId,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  const user = await findUserByExternalId(trx, worldId, externalId);
  if (!user) throw new Error('The user was not found after it was created.');
  return user;
}

function notFound(): ApiError {
  return new ApiError('not_found', { detail: 'There is no user with this id.' });
}
