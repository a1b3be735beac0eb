import { type Insertable, type Selectable, sql } from 'kysely';
import type { AuditTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';

/** Entry with the sealed email address of its administrator; null if that account no longer exists. */
export type AuditRow = Selectable<AuditTable> & { readonly email: Uint8Array | null };

export interface AuditFilter {
  readonly kind?: string | undefined;
  readonly projectId?: string | undefined;
  /** Only entries with values before and after a change. */
  readonly changesOnly?: boolean | undefined;
  readonly since?: Date | undefined;
  /** Only entries older than the one with this ID. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export async function insertAudit(db: Database, entry: Insertable<AuditTable>): Promise<void> {
  await db.insertInto('audit_log').values(entry).execute();
}

/**
 * Adds an entry. An entry without an administrator is skipped if there are already `limit` of its kind since `since`,
 * because strangers cause such entries and must not fill the table.
 */
export async function insertAuditWithin(
  db: Database,
  { id, kind, actor, admin_id = null, network = null, details, created_at }: Insertable<AuditTable>,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<void> {
  await sql`
    insert into audit_log (id, kind, actor, admin_id, network, details, created_at)
    select ${id}, ${kind}, ${actor}, ${admin_id}::uuid, ${network}::text, ${details}::jsonb, ${created_at}
    where ${admin_id}::uuid is not null or not exists (
      select from audit_log
      where kind = ${kind} and admin_id is null and created_at > ${since}
      offset ${sql.lit(limit - 1)}
    )`.execute(db);
}

/** Returns entries, the newest first. */
export function listAuditRows(
  db: Database,
  { kind, projectId, changesOnly, since, before, limit }: AuditFilter,
): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_log as l')
    .leftJoin('admins as a', 'a.id', 'l.admin_id')
    .selectAll('l')
    .select('a.email');
  if (kind !== undefined) query = query.where('l.kind', '=', kind);
  if (projectId !== undefined) query = query.where('l.project_id', '=', projectId);
  if (changesOnly) query = query.where('l.changes', 'is not', null);
  if (since !== undefined) query = query.where('l.created_at', '>=', since);
  if (before !== undefined) query = query.where('l.id', '<', before);
  return query.orderBy('l.id', 'desc').limit(limit).execute();
}

/**
 * Returns whether an account, given by the blind indexes of its email address, was signed in to from a network since a
 * time.
 */
export async function hasSignedInFrom(
  db: Database,
  {
    blindIndexes,
    network,
    since,
  }: { readonly blindIndexes: readonly Uint8Array[]; readonly network: string; readonly since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('audit_log as l')
    .innerJoin('admins as a', 'a.id', 'l.admin_id')
    .select('l.id')
    .where('a.email_mark', 'in', blindIndexes)
    .where('l.kind', '=', 'signed_in')
    .where('l.network', '=', network)
    .where('l.created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes an erased user from entries. The entries themselves are kept. */
export async function forgetUserInAudit(db: Database, userId: string): Promise<void> {
  await db.updateTable('audit_log').set({ user_id: null, subject: null }).where('user_id', '=', userId).execute();
}

/** Deletes old entries, at most `limit`. Returns the number of deleted rows. */
export async function removeOldAudit(db: Database, { before, limit }: { before: Date; limit: number }) {
  const { numAffectedRows = 0n } = await sql`
    delete from audit_log where id in (
      select id from audit_log where created_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
