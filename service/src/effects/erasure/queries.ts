import { sql } from 'kysely';
import { deleteEvents } from '../../resources/events/queries.js';
import type { Transaction } from '../../resources/service.js';
import type { UserRow } from '../../resources/users/queries/users.js';

/** Locks a user that is about to be erased, so that no new row can refer to it. */
export async function lockUserRow(trx: Transaction, worldId: string, id: string): Promise<void> {
  await sql`select from users where world_id = ${worldId} and id = ${id} for update`.execute(trx);
}

/** Blind index that remains of an erased user, with the master secret that it was created with. */
export interface ErasedMark {
  readonly mark: Uint8Array;
  readonly keyId: string;
  /** The user's blind indexes under all keys: it may have been erased before. */
  readonly allMarks: readonly Uint8Array[];
  readonly at: Date;
}

/**
 * Stores a blind index of a user on each identity that it had a device of, which records the account, and another one if
 * the device was blocked or the user was suspended.
 */
export async function insertErasedMarks(
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

/** The customer's ID of a user, and its blind indexes, under which failed attempts are stored. */
export interface UserName {
  readonly externalId: string;
  readonly nameIndexes: readonly Uint8Array[];
}

/** Returns the IDs of all devices, challenges and evaluations of a user. Stored responses may contain them. */
export async function listIdsOfUser(
  trx: Transaction,
  worldId: string,
  { externalId, nameIndexes }: UserName,
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
    union all select id from evaluations
      where world_id = ${worldId} and user_index = any(${[...nameIndexes]}::bytea[])
  `.execute(trx);
  return rows.map((row) => row.id);
}

/** Deletes a user with its devices, addresses, evaluations, challenges and events. */
export async function deleteUserRow(trx: Transaction, worldId: string, id: string): Promise<void> {
  // Before the evaluations, which is the order in which a review locks them.
  await trx.deleteFrom('reviews').where('world_id', '=', worldId).where('user_id', '=', id).execute();
  await sql`
    update bulk_actions set items = jsonb_path_query_array(items, '$[*] ? (!(@.user == $id))', ${JSON.stringify({ id })}::jsonb)
    where world_id = ${worldId} and items @> ${JSON.stringify([{ user: id }])}::jsonb
  `.execute(trx);
  await deleteEvents(trx, worldId, sql`user_id = ${id}`);
  await trx.deleteFrom('users').where('world_id', '=', worldId).where('id', '=', id).execute();
}

/**
 * Deletes evaluations and challenges that are stored under a name without a user, such as denied requests and failed
 * attempts of unknown users. Returns whether there were any.
 */
export async function deleteUnownedRows(
  trx: Transaction,
  worldId: string,
  { externalId, nameIndexes }: UserName,
): Promise<boolean> {
  // Reviews first, as above. Failed attempts, which have an index instead of a name, have none.
  await sql`
    delete from reviews r using evaluations e
    where r.world_id = ${worldId} and e.world_id = ${worldId} and r.evaluation_id = e.id
      and e.external_user = ${externalId} and e.user_id is null
  `.execute(trx);
  const evaluations = await trx
    .deleteFrom('evaluations')
    .where('world_id', '=', worldId)
    .where('user_id', 'is', null)
    .where((where) => where.or([where('external_user', '=', externalId), where('user_index', 'in', [...nameIndexes])]))
    .executeTakeFirst();
  const challenges = await trx
    .deleteFrom('challenges')
    .where('world_id', '=', worldId)
    .where('external_user', '=', externalId)
    .where('user_id', 'is', null)
    .executeTakeFirst();
  return evaluations.numDeletedRows + challenges.numDeletedRows > 0n;
}

/** Deletes other references to a user: other users' events that name it, its counters, and jobs about it. */
export async function deleteMentions(trx: Transaction, worldId: string, userId: string): Promise<void> {
  await deleteEvents(trx, worldId, sql`type = 'user.converted' and data #>> '{from_user,_id}' = ${userId}`);
  await trx.deleteFrom('counters').where('world_id', '=', worldId).where('subject', '=', userId).execute();
  await sql`delete from jobs where data ->> 'userId' = ${userId}`.execute(trx);
}

/** Evaluation whose request names a user as the referrer. */
export interface ReferralRow {
  readonly id: string;
  readonly request: Uint8Array;
}

export async function findReferrals(
  trx: Transaction,
  worldId: string,
  blindIndexes: readonly Uint8Array[],
): Promise<ReferralRow[]> {
  return trx
    .selectFrom('evaluations')
    .select(['id', 'request'])
    .where('world_id', '=', worldId)
    .where('referrer_mark', 'in', [...blindIndexes])
    .forUpdate()
    .execute();
}

export async function removeReferrer(
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

/** Response that is stored in case its request is repeated. */
export interface StoredResponse {
  readonly key_id: string;
  readonly route: string;
  readonly idempotency_key: string;
  readonly response: Uint8Array | null;
}

/** Returns the stored responses of a world, ordered by key, route and idempotency key, starting after `after`. */
export async function listStoredResponses(
  trx: Transaction,
  worldId: string,
  after: Omit<StoredResponse, 'response'> | undefined,
  limit: number,
): Promise<StoredResponse[]> {
  const isAfter = after
    ? sql`and (i.key_id, i.route, i.idempotency_key) > (${after.key_id}::uuid, ${after.route}, ${after.idempotency_key})`
    : sql``;
  const { rows } = await sql<StoredResponse>`
    select i.key_id, i.route, i.idempotency_key, i.response
    from idempotency i
    where i.world_id = ${worldId} and i.response is not null ${isAfter}
    order by i.key_id, i.route, i.idempotency_key limit ${limit}
  `.execute(trx);
  return rows;
}

export async function deleteStoredResponse(
  trx: Transaction,
  worldId: string,
  name: Omit<StoredResponse, 'response'>,
): Promise<void> {
  await trx
    .deleteFrom('idempotency')
    .where('world_id', '=', worldId)
    .where('key_id', '=', name.key_id)
    .where('route', '=', name.route)
    .where('idempotency_key', '=', name.idempotency_key)
    .execute();
}
