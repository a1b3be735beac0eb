import type { Selectable } from 'kysely';
import type { SavedViewTable } from '../../ground/db/schema/index.js';
import type { ViewedList } from '../../ground/vocabulary.js';
import type { Database } from '../service.js';

export type SavedViewRow = Selectable<SavedViewTable>;

type Key = Pick<SavedViewRow, 'world_id' | 'id'>;

/** Returns the views of a list by name, in alphabetical order. */
export function listViewRows(db: Database, worldId: string, list: ViewedList): Promise<SavedViewRow[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('list', '=', list)
    .orderBy('name')
    .execute();
}

export function findViewRow(db: Database, { world_id, id }: Key): Promise<SavedViewRow | undefined> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Stores a view, or other filters of one with the same ID. */
export async function saveViewRow(db: Database, row: SavedViewRow): Promise<void> {
  const filter = JSON.stringify(row.filter);
  const { saved_by, saved_at } = row;
  await db
    .insertInto('saved_views')
    .values({ ...row, filter })
    .onConflict((conflict) => conflict.columns(['world_id', 'id']).doUpdateSet({ filter, saved_by, saved_at }))
    .execute();
}

export async function renameViewRow(db: Database, { world_id, id }: Key, name: string): Promise<void> {
  await db.updateTable('saved_views').set({ name }).where('world_id', '=', world_id).where('id', '=', id).execute();
}

export async function deleteViewRow(db: Database, { world_id, id }: Key): Promise<void> {
  await db.deleteFrom('saved_views').where('world_id', '=', world_id).where('id', '=', id).execute();
}
