import { type Insertable, type Selectable, sql } from 'kysely';
import type { ClaimTable } from '../../ground/db/schema/index.js';
import { statement } from '../../ground/db/statement.js';
import type { Database, Transaction } from '../../resources/service.js';

export type ClaimRow = Selectable<ClaimTable>;

export const insertClaim = statement<Omit<Insertable<ClaimTable>, 'status'>>()`
  insert into claims (world_id, id, user_index, content, challenge_id, same_challenge)
  values (${'world_id'}, ${'id'}, ${'user_index'}, ${'content'}, ${'challenge_id'}, ${'same_challenge'})`;

/** Returns one claim of a world. `lock` locks it until the transaction ends. */
export async function findClaim(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<ClaimRow | undefined> {
  const query = db.selectFrom('claims').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Returns the newest claim that a challenge belongs to. */
export async function findClaimOfChallenge(
  db: Database,
  worldId: string,
  challengeId: string,
  { lock = false } = {},
): Promise<ClaimRow | undefined> {
  const query = db
    .selectFrom('claims')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('challenge_id', '=', challengeId)
    .orderBy('id', 'desc')
    .limit(1);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Fields that are equal in two challenges for the same purpose. */
export interface SameChallenge {
  readonly worldId: string;
  readonly externalUser: string;
  readonly identityId: string;
  readonly action: string;
  readonly network: string | undefined;
  readonly keyThumbprint: string | undefined;
}

/**
 * Returns the ID of the open challenge that a claim would repeat: an existing challenge, or the challenge of a claim
 * created since `since`.
 */
export async function findSameChallenge(
  db: Database,
  same: SameChallenge,
  { hash, since, now }: { readonly hash: string; readonly since: string; readonly now: Date },
): Promise<string | undefined> {
  const { worldId, externalUser, identityId, action, network = '', keyThumbprint = '' } = same;
  const { rows } = await sql<{ id: string }>`
    select id from challenges
    where world_id = ${worldId} and external_user = ${externalUser} and identity_id = ${identityId}
      and action = ${action} and coalesce(network, '') = ${network}
      and coalesce(key_thumbprint, '') = ${keyThumbprint} and status = 'pending' and expires_at > ${now}
    union all (
      select challenge_id from claims
      where world_id = ${worldId} and same_challenge = ${hash}::bigint and challenge_id is not null
        and id > ${since}::uuid and status = 'open'
      order by id desc limit 1
    )
    limit 1
  `.execute(db);
  return rows[0]?.id;
}

export async function deleteClaim(trx: Transaction, worldId: string, id: string): Promise<void> {
  await trx.deleteFrom('claims').where('world_id', '=', worldId).where('id', '=', id).execute();
}

/** Closes the claims of one challenge, so that they can no longer take effect. Returns whether any was open. */
export async function skipClaims(trx: Transaction, worldId: string, challengeId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('claims')
    .set({ status: 'skipped' })
    .where('world_id', '=', worldId)
    .where('challenge_id', '=', challengeId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the claims that name a user, the oldest first. */
export async function listClaimsOfUser(db: Database, worldId: string, indexes: readonly Uint8Array[]) {
  return db
    .selectFrom('claims')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('user_index', 'in', [...indexes])
    .where('status', '<>', 'superseded')
    .orderBy('id')
    .execute();
}

/**
 * Deletes the content of claims that name an erased user. The rows that remain only record that these claims are no
 * longer valid. Returns their number and their challenges.
 */
export async function supersedeClaims(
  trx: Transaction,
  worldId: string,
  indexes: readonly Uint8Array[],
): Promise<{ readonly count: number; readonly challenges: string[] }> {
  const rows = await trx
    .updateTable('claims')
    .set({ status: 'superseded', content: Buffer.alloc(0), user_index: Buffer.alloc(0), same_challenge: null })
    .where('world_id', '=', worldId)
    .where('user_index', 'in', [...indexes])
    .returning('challenge_id')
    .execute();
  return { count: rows.length, challenges: rows.flatMap(({ challenge_id }) => challenge_id ?? []) };
}

/** Deletes at most `limit` claims that were created before the ID `before`. Returns the number of deleted rows. */
export async function removeClaimsBefore(
  db: Database,
  worldId: string,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from claims where world_id = ${worldId} and id in (
      select id from claims where world_id = ${worldId} and id < ${before}::uuid
      limit ${limit} for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows);
}
