import type { ListEntry } from 'whorl/wire';
import type { Database, Service } from '../service.js';
import { findListHits } from './lookup-queries.js';
import { toEntry } from './present.js';
import { findRows, type ListFilter, listRows, listRowsAt } from './queries.js';
import { type LookedUp, listKeysOf } from './rules/hits.js';
import { normaliseValue } from './rules/values.js';

/** Returns entries, the newest first. A value to filter by need not be in normal form. */
export async function listEntries(
  { db }: Pick<Service, 'db'>,
  projectId: string,
  { filter, limit, page }: { readonly filter: ListFilter; readonly limit: number; readonly page: number },
): Promise<{ readonly entries: ListEntry[]; readonly total: number }> {
  const { kind, value } = filter;
  const normal = kind !== undefined && value !== undefined ? normaliseValue(kind, value) : undefined;
  const { rows, total } = await listRows(db, projectId, {
    filter: { ...filter, value: normal ?? value },
    limit,
    offset: (page - 1) * limit,
  });
  return { entries: rows.map(toEntry), total };
}

/** Returns the entries that apply to a value now, also those for a range or a parent domain, the newest first. */
export async function entriesFor(
  { db, now }: Pick<Service, 'db' | 'now'>,
  projectId: string,
  lookedUp: LookedUp & { readonly ip?: string | undefined },
): Promise<ListEntry[]> {
  const keys = { ...listKeysOf(lookedUp), ip: lookedUp.ip };
  const hits = await findListHits(db, { projectId, now: now() }, keys);
  const rows = await findRows(
    db,
    projectId,
    hits.map(({ id }) => id),
  );
  return rows.map(toEntry).sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Returns what the lists of a project held at a time, by kind and value. */
export async function entriesAt(db: Database, projectId: string, at: Date): Promise<ListEntry[]> {
  return (await listRowsAt(db, projectId, at)).map(toEntry);
}
