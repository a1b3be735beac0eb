import { type Insertable, sql } from 'kysely';
import type { AdminSessionTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';
import { secondFactorRequired } from './rules.js';

export interface AdminSessionRow {
  readonly admin_id: string;
  readonly email: Uint8Array;
  readonly is_owner: boolean;
  readonly is_linked: boolean;
  readonly must_enrol: boolean;
  readonly notice: Uint8Array | null;
  readonly last_seen_at: Date;
  readonly confirmed_at: Date | null;
}

export async function insertAdminSession(db: Database, session: Insertable<AdminSessionTable>): Promise<void> {
  await db.insertInto('admin_sessions').values(session).execute();
}

/**
 * Returns the session of a cookie, unless it has expired, was last used before `seenAfter`, or waits for the second factor.
 * `must_enrol`: the installation requires a second factor, and the account has none.
 */
export function findAdminSession(
  db: Database,
  { hash, now, seenAfter }: { hash: Uint8Array; now: Date; seenAfter: Date },
): Promise<AdminSessionRow | undefined> {
  return db
    .selectFrom('admin_sessions as s')
    .innerJoin('admins as a', 'a.id', 's.admin_id')
    .select(['s.admin_id', 'a.email', 'a.is_owner', 's.notice', 's.last_seen_at', 's.confirmed_at'])
    .select(
      sql<boolean>`a.totp_secret is null
        and exists (select from installation_settings where name = ${secondFactorRequired} and value = 'true')
        and not exists (select from admin_passkeys p where p.admin_id = a.id)`.as('must_enrol'),
    )
    .select(sql<boolean>`exists (select from admin_identities i where i.admin_id = a.id)`.as('is_linked'))
    .where('s.is_waiting', '=', false)
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', now)
    .where('s.last_seen_at', '>', seenAfter)
    .executeTakeFirst();
}

/** Records a use of a session. */
/** Session that waits for the second factor. */
export interface WaitingSessionRow {
  readonly admin_id: string;
  readonly email: Uint8Array;
  readonly device: string | null;
  readonly ceremony: string | null;
}

/** Returns a session that waits for the second factor, if it began after `since`. */
export function findWaitingAdminSession(
  db: Database,
  { hash, since }: { readonly hash: Uint8Array; readonly since: Date },
): Promise<WaitingSessionRow | undefined> {
  return db
    .selectFrom('admin_sessions as s')
    .innerJoin('admins as a', 'a.id', 's.admin_id')
    .select(['s.admin_id', 'a.email', 's.device', 's.ceremony'])
    .where('s.hash', '=', hash)
    .where('s.is_waiting', '=', true)
    .where('s.created_at', '>', since)
    .executeTakeFirst();
}

/** Stores the challenge of a passkey. */
export async function saveCeremony(db: Database, hash: Uint8Array, challenge: string): Promise<void> {
  await db.updateTable('admin_sessions').set({ ceremony: challenge }).where('hash', '=', hash).execute();
}

/** Returns the challenge of a passkey, which works once. */
export async function takeCeremony(db: Database, hash: Uint8Array): Promise<string | undefined> {
  const { rows } = await sql<{ ceremony: string | null }>`
    update admin_sessions s set ceremony = null from (select hash, ceremony from admin_sessions where hash = ${hash} for update) as old
    where s.hash = old.hash returning old.ceremony`.execute(db);
  return rows[0]?.ceremony ?? undefined;
}

export async function touchAdminSession(
  db: Database,
  hash: Uint8Array,
  { now, network }: { readonly now: Date; readonly network: string | undefined },
): Promise<void> {
  await db.updateTable('admin_sessions').set({ last_seen_at: now, network }).where('hash', '=', hash).execute();
}

export async function confirmAdminSession(db: Database, hash: Uint8Array, now: Date): Promise<void> {
  await db.updateTable('admin_sessions').set({ confirmed_at: now }).where('hash', '=', hash).execute();
}

/** Saves the notice for the next page, or clears it (null). */
export async function setSessionNotice(db: Database, hash: Uint8Array, notice: Uint8Array | null): Promise<void> {
  await db.updateTable('admin_sessions').set({ notice }).where('hash', '=', hash).execute();
}

export async function removeAdminSession(db: Database, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('admin_sessions').where('hash', '=', hash).execute();
}

export interface ListedSessionRow {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly device: string | null;
  readonly network: string | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
}

/** Returns the sessions of an account that have not expired, the most recently used first. */
export function listAdminSessions(
  db: Database,
  { adminId, now, seenAfter }: { readonly adminId: string; readonly now: Date; readonly seenAfter: Date },
): Promise<ListedSessionRow[]> {
  return db
    .selectFrom('admin_sessions')
    .select(['id', 'hash', 'device', 'network', 'created_at', 'last_seen_at'])
    .where('admin_id', '=', adminId)
    .where('is_waiting', '=', false)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenAfter)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Deletes one session of an account. Returns whether it existed. */
export async function removeSessionOf(db: Database, adminId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('admin_sessions')
    .where('admin_id', '=', adminId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all sessions of an administrator except one. Returns the number of deleted sessions. */
export async function removeSessionsOf(db: Database, adminId: string, except?: Uint8Array): Promise<number> {
  const all = db.deleteFrom('admin_sessions').where('admin_id', '=', adminId);
  const { numDeletedRows } = await (except ? all.where('hash', '<>', except) : all).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes expired sessions, at most `limit` at a time. Returns the number of deleted sessions. */
export async function removeOldAdminSessions(db: Database, { before, limit }: { before: Date; limit: number }) {
  const { numAffectedRows = 0n } = await sql`
    delete from admin_sessions where hash in (
      select hash from admin_sessions where expires_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
