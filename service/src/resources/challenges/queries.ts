import { type Selectable, sql, type Updateable } from 'kysely';
import { type PageOfRows, type PageRequest, type Period, readPage } from '../../ground/db/paging.js';
import type { ChallengeTable } from '../../ground/db/schema/index.js';
import { statement } from '../../ground/db/statement.js';
import type { Database } from '../service.js';

export type ChallengeRow = Selectable<ChallengeTable>;

/** Returns one challenge of a world. `lock` locks it until the transaction ends. */
export async function findChallenge(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<ChallengeRow | undefined> {
  const query = db.selectFrom('challenges').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export interface NewChallenge {
  readonly id: string;
  readonly worldId: string;
  readonly userId: string;
  readonly externalUser: string;
  readonly deviceId: string | null;
  readonly identityId: string;
  readonly variantId: string | null;
  readonly action: string;
  readonly ip: string | null;
  readonly network: string | null;
  readonly keyThumbprint: string | null;
  /** JSON. */
  readonly reasons: string;
  /** JSON. Null if there are none. */
  readonly tags: string | null;
  /** Null if they are not known, because a page requested the challenge. */
  readonly methods: readonly string[] | null;
  /** The user's current number of revocations. */
  readonly revocations: number;
  readonly expiresAt: Date;
  readonly at: Date;
}

type StoredChallenge = Omit<NewChallenge, 'methods'> & { readonly methods: string | null };

const insertChallengeRow = statement<StoredChallenge, Selectable<ChallengeTable>>()`
  insert into challenges (
    id, world_id, user_id, external_user, device_id, identity_id, variant_id, action, ip, network, key_thumbprint, reasons,
    tags, methods, status, revocations, expires_at, created_at
  ) values (
    ${'id'}, ${'worldId'}, ${'userId'}, ${'externalUser'}, ${'deviceId'}, ${'identityId'}, ${'variantId'}, ${'action'},
    ${'ip'}, ${'network'}, ${'keyThumbprint'}, ${'reasons'}, ${'tags'}, ${'methods'}, 'pending', ${'revocations'}, ${'expiresAt'}, ${'at'}
  ) on conflict do nothing returning *`;

/**
 * Creates a challenge. Returns undefined if one is already open for the same user, device, key, action and address.
 */
export async function insertChallenge(
  db: Database,
  challenge: NewChallenge,
): Promise<Selectable<ChallengeTable> | undefined> {
  const methods = challenge.methods && JSON.stringify(challenge.methods);
  const [row] = await insertChallengeRow(db, { ...challenge, methods });
  return row;
}

/**
 * Returns the open challenge that conflicts with a new one. Closes it instead if it has expired, or was created before
 * the user's revocation number `revokedAt`.
 */
export async function findOpenChallenge(
  db: Database,
  challenge: NewChallenge,
  revokedAt: number,
): Promise<string | undefined> {
  const sameChallenge = sql<boolean>`world_id = ${challenge.worldId} and external_user = ${challenge.externalUser}
    and identity_id = ${challenge.identityId} and action = ${challenge.action}
    and coalesce(network, '') = ${challenge.network ?? ''}
    and coalesce(key_thumbprint, '') = ${challenge.keyThumbprint ?? ''} and status = 'pending'`;
  await db
    .updateTable('challenges')
    .set({ status: 'expired' })
    .where(sameChallenge)
    .where((where) => where.or([where('expires_at', '<=', challenge.at), where('revocations', '<', revokedAt)]))
    .execute();
  const row = await db.selectFrom('challenges').select('id').where(sameChallenge).executeTakeFirst();
  return row?.id;
}

export async function changeChallenge(
  db: Database,
  worldId: string,
  id: string,
  changes: Omit<Updateable<ChallengeTable>, 'id' | 'world_id'>,
): Promise<ChallengeRow> {
  return db
    .updateTable('challenges')
    .set(changes)
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Stores the factors of the application for a challenge's user. Without `replaces`, only if none were stored yet. */
export async function storeMethods(
  db: Database,
  worldId: string,
  id: string,
  { methods, replaces }: { readonly methods: readonly string[]; readonly replaces: boolean },
): Promise<void> {
  let update = db
    .updateTable('challenges')
    .set({ methods: JSON.stringify(methods) })
    .where('world_id', '=', worldId)
    .where('id', '=', id);
  if (!replaces) update = update.where('methods', 'is', null);
  await update.execute();
}

/** Closes all open challenges of a user as skipped, and returns them. */
export async function skipChallengesOfUser(db: Database, worldId: string, userId: string): Promise<ChallengeRow[]> {
  return db
    .updateTable('challenges')
    .set({ status: 'skipped', sending_until: null })
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .returningAll()
    .execute();
}

/** Returns the challenges of a world, newest first. */
export async function listChallengeRows(
  db: Database,
  worldId: string,
  { start, end, ...page }: PageRequest & Period,
): Promise<PageOfRows<ChallengeRow>> {
  let matching = db.selectFrom('challenges').where('world_id', '=', worldId);
  if (start) matching = matching.where('created_at', '>=', start);
  if (end) matching = matching.where('created_at', '<=', end);
  return readPage(matching, page);
}

/** Marks at most `limit` challenges that have passed their expiry as expired. Returns their number. */
export async function expireChallengeRows(db: Database, worldId: string, now: Date, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('challenges')
    .set({ status: 'expired' })
    .where('world_id', '=', worldId)
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('challenges')
        .select('id')
        .where('world_id', '=', worldId)
        .where('status', '=', 'pending')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        // Another worker or a request may be changing some of these.
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
