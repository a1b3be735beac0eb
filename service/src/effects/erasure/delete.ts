import type { Success } from 'whorl/wire';
import { claimIndexes } from '../../evaluation/claims/content.js';
import { supersedeClaims } from '../../evaluation/claims/queries.js';
import { nameIndexes, openRequest, sealRequest } from '../../evaluation/normalised-request.js';
import { lockErasures, lockUser } from '../../ground/db/locks.js';
import { noSuch } from '../../ground/errors.js';
import { forgetPending, storePending } from '../../recognition/velocity/count.js';
import { deleteCountsOfUser } from '../../recognition/velocity/queries.js';
import { userKeys } from '../../recognition/velocity/subjects.js';
import { type Origin, recordErasure } from '../../resources/audit/audit.js';
import { removeVisitsTo } from '../../resources/challenges/visits-queries.js';
import { notifyEndedOfUser } from '../../resources/devices/queries/device-ends.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../../resources/service.js';
import { findUser, findUserByExternalId, type UserRow } from '../../resources/users/queries/users.js';
import { forgetResponses } from './forget-responses.js';
import {
  deleteMentions,
  deleteUnownedRows,
  deleteUserRow,
  findReferrals,
  insertErasedMarks,
  listIdsOfUser,
  lockUserRow,
  removeReferrer,
} from './queries.js';

/**
 * Erases a user (`POST /v2/user/:id/delete`): its rows, and references to it in other users' rows. Blind indexes stay
 * on the devices that it used, so that deleting an account clears neither a block nor the history of a device with many
 * accounts. A name that is stored without a user, from claims, denied requests or failed attempts, is
 * erased as well.
 *
 * @throws {ApiError} `not_found`
 */
export async function deleteUser(service: Service, caller: Caller, userId: string, origin: Origin): Promise<Success> {
  await storePending(service);
  return inTransaction(service, caller, async (work) => {
    const { db: trx } = work;
    const { worldId } = caller;
    const externalId = (await findUser(trx, worldId, userId))?.external_id ?? userId;
    await lockUser(trx, worldId, externalId);
    await lockErasures(trx, worldId);
    const user = await findUserByExternalId(trx, worldId, externalId);
    const name = { externalId, nameIndexes: nameIndexes(service, worldId, externalId) };
    const ids = await listIdsOfUser(trx, worldId, name, user?.id);
    const indexes = [externalId, ...(user ? [user.id] : [])].flatMap((name) => claimIndexes(service, worldId, name));
    const claimed = await supersedeClaims(trx, worldId, indexes);
    await removeVisitsTo(trx, worldId, [...ids, ...claimed.challenges]);
    if (!user && ids.length === 0 && claimed.count === 0) throw noSuch('user');
    // Other users' evaluations come before the user's rows: a transaction that locks one of them may wait for the user.
    await removeReferrals(work, user ? [externalId, user.id] : [externalId]);
    if (user) await erase(work, user);
    await deleteUnownedRows(trx, worldId, name);
    const keys = userKeys(service.vault, worldId, externalId);
    await deleteCountsOfUser(trx, worldId, keys);
    work.afterCommit(() => forgetPending(service, worldId, keys));
    await forgetResponses(trx, service, { worldId, externalId, ids: user ? [user.id, ...ids] : ids });
    const { project, mode } = caller;
    await recordErasure(trx, service, { ...origin, userId: user?.id, projectId: project.id, mode });
    return { success: true };
  });
}

async function erase(work: UnitOfWork, user: UserRow): Promise<void> {
  const {
    db: trx,
    caller: { worldId },
  } = work;
  // A transaction that writes this user's name into another user's event waits here, or has already written it.
  await lockUserRow(trx, worldId, user.id);
  const { vault } = work;
  const allMarks = vault.blindIndexes(user.external_id, `erased.${worldId}`);
  await insertErasedMarks(trx, user, { mark: allMarks[0], keyId: vault.keyIds[0], allMarks, at: work.now() });
  await notifyEndedOfUser(trx, worldId, user.id);
  await deleteUserRow(trx, worldId, user.id);
  await deleteMentions(trx, worldId, user.id);
}

/** Removes the user's name from the evaluations of users that it referred. */
async function removeReferrals(work: UnitOfWork, names: readonly string[]): Promise<void> {
  const {
    db: trx,
    caller: { worldId },
  } = work;
  const { vault } = work;
  const marks = names.flatMap((name) => vault.blindIndexes(name, 'evaluation.referrer'));
  for (const row of await findReferrals(trx, worldId, marks)) {
    const { metadata = {}, ...rest } = openRequest(work, row);
    const { referrer: _, ...remaining } = metadata;
    await removeReferrer(trx, worldId, row.id, sealRequest(work, { ...rest, metadata: remaining }));
  }
}
