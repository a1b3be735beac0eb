import { sql } from 'kysely';
import { forgetUserInAudit } from '../../audit/queries.js';
import type { Transaction } from '../../service.js';
import { deleteEvents } from '../../webhooks/queries/events.js';
import type { UserRow } from './users.js';

/** A user about to be erased, locked against everything that would refer to it. */
export async function holdUser(trx: Transaction, worldId: string, id: string): Promise<void> {
  await sql`select from users where world_id = ${worldId} and id = ${id} for update`.execute(trx);
}

/** The blind index that stays of a user, and the master secret that it was made with. */
export interface ErasedMark {
  readonly mark: Uint8Array;
  readonly keyId: string;
  /** The same under every key: the user may have been erased before. */
  readonly allMarks: readonly Uint8Array[];
  readonly at: Date;
}

/**
 * Leaves, on each identity that a user had a device of, a blind index that one more account was there, and one more where
 * the device, or the user as a whole, was blocked.
 */
export async function leaveMarks(
  trx: Transaction,
  user: UserRow,
  { mark, keyId, allMarks, at }: ErasedMark,
): Promise<void> {
  await sql`
    insert into marks (world_id, identity_id, cause, mark, key_id, created_at)
    select d.world_id, d.identity_id, c.cause, ${mark}::bytea, ${keyId}, ${at}::timestamptz
    from devices d cross join (values ('account'), ('blocked')) as c (cause)
    where d.world_id = ${user.world_id} and d.user_id = ${user.id}
      and (c.cause = 'account' or d.status = 'blocked' or ${user.status === 'suspended'})
      and not exists (
        select from marks m where m.world_id = d.world_id and m.identity_id = d.identity_id and m.cause = c.cause
          and m.mark = any(${[...allMarks]}::bytea[])
      )
    on conflict do nothing
  `.execute(trx);
}

/** The ids of all that is on record under a user's name: answers tell of a user by them. */
export async function listIdsOfUser(
  trx: Transaction,
  worldId: string,
  externalId: string,
  userId: string | undefined,
): Promise<string[]> {
  const id = userId ?? null;
  const { rows } = await sql<{ id: string }>`
    select id from devices where world_id = ${worldId} and user_id = ${id}::uuid
    union all select id from challenges where world_id = ${worldId} and user_id = ${id}::uuid
    union all select id from evaluations where world_id = ${worldId} and user_id = ${id}::uuid
    union all select id from challenges
      where world_id = ${worldId} and external_user = ${externalId} and user_id is null
    union all select id from evaluations
      where world_id = ${worldId} and external_user = ${externalId} and user_id is null
  `.execute(trx);
  return rows.map((row) => row.id);
}

/** Removes a user with all that belongs to it: devices, addresses, evaluations, challenges, events. */
export async function deleteUserRow(trx: Transaction, worldId: string, id: string): Promise<void> {
  await forgetUserInAudit(trx, id);
  await deleteEvents(trx, worldId, sql`user_id = ${id}`);
  await trx.deleteFrom('users').where('world_id', '=', worldId).where('id', '=', id).execute();
}

/**
 * Removes what is on record under a name without a user: refusals of users that were not known. Returns whether there
 * was anything.
 */
export async function deleteUnownedRows(trx: Transaction, worldId: string, externalId: string): Promise<boolean> {
  const evaluations = await trx
    .deleteFrom('evaluations')
    .where('world_id', '=', worldId)
    .where('external_user', '=', externalId)
    .where('user_id', 'is', null)
    .executeTakeFirst();
  const challenges = await trx
    .deleteFrom('challenges')
    .where('world_id', '=', worldId)
    .where('external_user', '=', externalId)
    .where('user_id', 'is', null)
    .executeTakeFirst();
  return evaluations.numDeletedRows + challenges.numDeletedRows > 0n;
}

/** Removes what tells of a user elsewhere: events of others that name it, its counters, jobs about it. */
export async function deleteMentions(trx: Transaction, worldId: string, userId: string): Promise<void> {
  await deleteEvents(trx, worldId, sql`type = 'user.converted' and data #>> '{from_user,_id}' = ${userId}`);
  await trx.deleteFrom('counters').where('world_id', '=', worldId).where('subject', '=', userId).execute();
  await sql`delete from jobs where data ->> 'userId' = ${userId}`.execute(trx);
}

/** An evaluation whose request names a user as the referrer. */
export interface ReferralRow {
  readonly id: string;
  readonly request: Uint8Array;
}

export async function findReferrals(
  trx: Transaction,
  worldId: string,
  marks: readonly Uint8Array[],
): Promise<ReferralRow[]> {
  return trx
    .selectFrom('evaluations')
    .select(['id', 'request'])
    .where('world_id', '=', worldId)
    .where('referrer_mark', 'in', [...marks])
    .forUpdate()
    .execute();
}

export async function forgetReferrer(
  trx: Transaction,
  worldId: string,
  id: string,
  request: Uint8Array,
): Promise<void> {
  await trx
    .updateTable('evaluations')
    .set({ request, referrer_mark: null })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .execute();
}

/** An answer that is kept for the repetition of a request. */
export interface KeptAnswer {
  readonly key_id: string;
  readonly route: string;
  readonly idempotency_key: string;
  readonly answer: Uint8Array | null;
}

/** The kept answers of a world's keys, in the order of their names, from behind one of them. */
export async function listKeptAnswers(
  trx: Transaction,
  worldId: string,
  after: Omit<KeptAnswer, 'answer'> | undefined,
  limit: number,
): Promise<KeptAnswer[]> {
  const behind = after
    ? sql`and (i.key_id, i.route, i.idempotency_key) > (${after.key_id}::uuid, ${after.route}, ${after.idempotency_key})`
    : sql``;
  const { rows } = await sql<KeptAnswer>`
    select i.key_id, i.route, i.idempotency_key, i.answer
    from idempotency i
    where i.world_id = ${worldId} and i.answer is not null ${behind}
    order by i.key_id, i.route, i.idempotency_key limit ${limit}
  `.execute(trx);
  return rows;
}

export async function deleteKeptAnswer(
  trx: Transaction,
  worldId: string,
  name: Omit<KeptAnswer, 'answer'>,
): Promise<void> {
  await trx
    .deleteFrom('idempotency')
    .where('world_id', '=', worldId)
    .where('key_id', '=', name.key_id)
    .where('route', '=', name.route)
    .where('idempotency_key', '=', name.idempotency_key)
    .execute();
}
