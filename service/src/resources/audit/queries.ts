import { type Selectable, sql } from 'kysely';
import type { AuditTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';
import type { AuditKind } from './rules/audit.js';

/** Entry with the sealed email address of its administrator; null if that account no longer exists. */
export type AuditRow = Omit<Selectable<AuditTable>, 'hash' | 'salt' | 'about'> & { readonly email: Uint8Array | null };

export interface AuditFilter {
  readonly kind?: string | undefined;
  readonly projectId?: string | undefined;
  /** Only entries with values before and after a change. */
  readonly changesOnly?: boolean | undefined;
  /** Only changes of this setting. */
  readonly setting?: string | undefined;
  /** Only the entry with this ID. */
  readonly id?: string | undefined;
  /** Only entries of other kinds. */
  readonly except?: readonly string[] | undefined;
  readonly since?: Date | undefined;
  /** Only entries older than the one with this ID. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns whether there are at least `limit` entries of a kind, without an account, since a time. */
export async function hasEntriesOfNobody(
  db: Database,
  { kind, since, limit }: { readonly kind: string; readonly since: Date; readonly limit: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('audit_log')
    .select('id')
    .where('kind', '=', kind)
    .where('admin_id', 'is', null)
    .where('created_at', '>', since)
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the number of entries of some kinds about a user, a user's device or an evaluation since a time. Entries of undoing
 * an action on many rows are left out.
 */
export async function countEntriesAbout(
  db: Database,
  about: {
    /** Null for an evaluation that belongs to no user. */
    readonly userId: string | null;
    /** A device can have had several IDs. */
    readonly subjects: readonly string[];
    readonly kinds: readonly AuditKind[];
    readonly since: Date;
    /** ID of the action. */
    readonly exceptUndoOf: string;
  },
): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('user_id', about.userId === null ? 'is' : '=', about.userId)
    .where('created_at', '>=', about.since)
    .where('subject', 'in', about.subjects)
    .where('kind', 'in', about.kinds)
    .where(sql<boolean>`details ->> 'undo_of' is distinct from ${about.exceptUndoOf}`)
    .executeTakeFirstOrThrow();
  return count;
}

const shownColumns = [
  'l.id',
  'l.seq',
  'l.kind',
  'l.actor',
  'l.admin_id',
  'l.project_id',
  'l.mode',
  'l.user_id',
  'l.subject',
  'l.network',
  'l.changes',
  'l.details',
  'l.created_at',
] as const;

/** Returns entries, the newest first. */
export function listAuditRows(
  db: Database,
  { id, kind, except, projectId, changesOnly, setting, since, before, limit }: AuditFilter,
): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_log as l')
    .leftJoin('admins as a', 'a.id', 'l.admin_id')
    .select(shownColumns)
    .select('a.email');
  if (kind !== undefined) query = query.where('l.kind', '=', kind);
  if (except !== undefined) query = query.where('l.kind', 'not in', except);
  if (projectId !== undefined) query = query.where('l.project_id', '=', projectId);
  if (id !== undefined) query = query.where('l.id', '=', id);
  if (setting !== undefined) query = query.where(sql<boolean>`jsonb_exists(l.changes, ${setting})`);
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

/** Returns the kind, mode and last characters of keys, by ID. */
export async function findKeyHints(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('api_keys as k')
    .innerJoin('worlds as w', 'w.id', 'k.world_id')
    .select(['k.id', 'k.kind', 'w.mode', 'k.hint'])
    .where('k.id', 'in', ids)
    .execute();
}
