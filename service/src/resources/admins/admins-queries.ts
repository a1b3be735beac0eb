import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { AdminLinkTable, AdminTable } from '../../ground/db/schema/index.js';
import type { Database, Transaction } from '../service.js';

export type AdminRow = Selectable<AdminTable>;

/** Serialises transactions that create or change accounts. */
export async function lockAdmins(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('admins', 0))`.execute(trx);
}

/** Returns all accounts, the oldest first. */
export function listAdminRows(db: Database): Promise<AdminRow[]> {
  return db.selectFrom('admins').selectAll().orderBy('created_at').orderBy('id').execute();
}

export async function hasAdmins(db: Database): Promise<boolean> {
  return (await db.selectFrom('admins').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the account whose email address has one of these blind indexes. */
export function findAdmin(db: Database, blindIndexes: readonly Uint8Array[]): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('email_mark', 'in', blindIndexes).executeTakeFirst();
}

export function findAdminById(db: Database, id: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertAdmin(db: Database, admin: Insertable<AdminTable>): Promise<void> {
  await db.insertInto('admins').values(admin).execute();
}

/**
 * Updates an account; with `currentHash`, only if it is still the password hash.
 *
 * @returns Whether a row was updated.
 */
export async function updateAdmin(
  db: Database,
  id: string,
  changes: Omit<Updateable<AdminTable>, 'id'>,
  currentHash?: string,
): Promise<boolean> {
  const byId = db.updateTable('admins').set(changes).where('id', '=', id);
  const unchanged = currentHash === undefined ? byId : byId.where('password_hash', '=', currentHash);
  return (await unchanged.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Deletes an account. The database deletes its sessions, memberships and invitations with it. */
export async function removeAdmin(db: Database, id: string): Promise<void> {
  await db.deleteFrom('admins').where('id', '=', id).execute();
}

export type NewAdminLink = Insertable<AdminLinkTable>;

/** Link with the sealed email address of its account. */
export type AdminLinkRow = Selectable<AdminLinkTable> & { readonly admin_email: Uint8Array | null };

export async function insertAdminLink(db: Database, link: NewAdminLink): Promise<void> {
  await db.insertInto('admin_links').values(link).execute();
}

/** Returns a link that can still be used. */
export function findAdminLink(db: Database, hash: Uint8Array, now: Date): Promise<AdminLinkRow | undefined> {
  return db
    .selectFrom('admin_links as l')
    .leftJoin('admins as a', 'a.id', 'l.admin_id')
    .selectAll('l')
    .select('a.email as admin_email')
    .where('l.hash', '=', hash)
    .where('l.expires_at', '>', now)
    .executeTakeFirst();
}

export async function removeResetLinksOf(db: Database, adminId: string): Promise<void> {
  await db.deleteFrom('admin_links').where('admin_id', '=', adminId).execute();
}

export async function removeAdminLink(db: Database, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('admin_links').where('hash', '=', hash).execute();
}

export async function removeOldAdminLinks(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('admin_links').where('expires_at', '<', before).execute();
}
