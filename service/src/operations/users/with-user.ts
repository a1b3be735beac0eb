import { ApiError } from '../../errors.js';
import type { Caller, Service, Transaction } from '../../service.js';
import { lockUser } from '../../store/queries/locks.js';
import { findUser, type UserRow } from '../../store/queries/users.js';

/** A user in hand: nobody else works on it meanwhile. */
export interface HeldUser {
  readonly trx: Transaction;
  readonly user: UserRow;
}

/**
 * Works on one user in a transaction of its own.
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
    // Erased while this waited.
    if (user?.id !== named.id) throw notFound();
    return act({ trx, user });
  });
}

function notFound(): ApiError {
  return new ApiError('not_found', { detail: 'There is no user of this id.' });
}
