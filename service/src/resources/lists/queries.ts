import { sql } from 'kysely';
import type { ListEffect, ListKind } from 'whorl/wire';
import type { ListEntryTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';

export interface ListRow {
  readonly id: string;
  readonly kind: ListKind;
  readonly value: string;
  readonly effect: ListEffect;
  readonly note: string | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly ended_at: Date | null;
  readonly ended_by: string | null;
}

export type NewListRow = Omit<ListRow, 'ended_at' | 'ended_by'>;

const columns = [
  'id',
  'kind',
  'value',
  'effect',
  'note',
  'created_by',
  'created_at',
  'expires_at',
  'ended_at',
  'ended_by',
] as const satisfies readonly (keyof ListEntryTable)[];

/** Returns the entries for some values that have not ended; they may have expired. */
export async function findLiveRows(
  db: Database,
  projectId: string,
  values: readonly { readonly kind: ListKind; readonly value: string }[],
): Promise<ListRow[]> {
  const wanted = JSON.stringify(values.map(({ kind, value }) => ({ kind, value })));
  const { rows } = await sql<ListRow>`
    select e.* from jsonb_to_recordset(${wanted}::jsonb) as k (kind text, value text)
    cross join lateral (
      select ${sql.join(columns.map((name) => sql.ref(name)))} from list_entries x
      where x.project_id = ${projectId} and x.kind = k.kind and x.value = k.value and x.ended_at is null limit 1
    ) e
  `.execute(db);
  return rows;
}

export async function insertRows(db: Database, projectId: string, rows: readonly NewListRow[]): Promise<void> {
  await sql`
    insert into list_entries (id, project_id, kind, value, effect, note, created_by, created_at, expires_at)
    select x.id, ${projectId}, x.kind, x.value, x.effect, x.note, x.created_by, x.created_at, x.expires_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (
      id uuid, kind text, value text, effect text, note text, created_by text, created_at timestamptz, expires_at timestamptz
    )
  `.execute(db);
}

/** Ends entries. Returns those that had not ended. */
export function endRows(
  db: Database,
  projectId: string,
  { ids, at, by }: { readonly ids: readonly string[]; readonly at: Date; readonly by: string },
): Promise<ListRow[]> {
  return db
    .updateTable('list_entries')
    .set({ ended_at: at, ended_by: by })
    .where('project_id', '=', projectId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('ended_at', 'is', null)
    .returning(columns)
    .execute();
}

export function findRows(db: Database, projectId: string, ids: readonly string[]): Promise<ListRow[]> {
  return db
    .selectFrom('list_entries')
    .select(columns)
    .where('project_id', '=', projectId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
}

export async function findRow(db: Database, projectId: string, id: string): Promise<ListRow | undefined> {
  return db
    .selectFrom('list_entries')
    .select(columns)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Which entries are listed. */
export interface ListFilter {
  readonly kind?: ListKind | undefined;
  readonly effect?: ListEffect | undefined;
  readonly value?: string | undefined;
  /** Entries that were in effect at this time. Default: all that ever were. */
  readonly at?: Date | undefined;
}

/** Returns entries, the newest first, and the number of all that match. */
export async function listRows(
  db: Database,
  projectId: string,
  { filter, limit, offset = 0 }: { readonly filter: ListFilter; readonly limit: number; readonly offset?: number },
): Promise<{ readonly rows: ListRow[]; readonly total: number }> {
  const matching = selectMatching(db, projectId, filter);
  const rows = await matching
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await matching
    .select((builder) => builder.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** Returns all entries that were in effect at a time, by kind and value. */
export function listRowsAt(db: Database, projectId: string, at: Date): Promise<ListRow[]> {
  return selectMatching(db, projectId, { at })
    .select(columns)
    .orderBy(sql`kind collate "C"`)
    .orderBy(sql`value collate "C"`)
    .execute();
}

function selectMatching(db: Database, projectId: string, { kind, effect, value, at }: ListFilter) {
  let query = db.selectFrom('list_entries').where('project_id', '=', projectId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (effect !== undefined) query = query.where('effect', '=', effect);
  if (value !== undefined) query = query.where('value', '=', value);
  if (at === undefined) return query;
  return query
    .where('created_at', '<=', at)
    .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', at)]))
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]));
}
