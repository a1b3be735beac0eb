import { type Selectable, sql } from 'kysely';
import type { BulkActionTable, BulkItem } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';
import type { Source } from './rules.js';

export type BulkActionRow = Selectable<BulkActionTable>;

/** What a selected row is about. */
export interface SelectedRow {
  readonly id: string;
  readonly user_id: string | null;
  readonly external_user: string | null;
  readonly device_id: string | null;
  readonly ip: string | null;
  readonly network: string | null;
  /** What was evaluated. */
  readonly action: string | null;
}

/** Returns the selected rows of a list that exist in the world, by ID. */
export async function findSelected(
  db: Database,
  worldId: string,
  source: Source,
  ids: readonly string[],
): Promise<SelectedRow[]> {
  const wanted = sql`any(${[...ids]}::uuid[])`;
  const { rows } = await sql<SelectedRow>`${
    {
      users: sql`
        select id, id as user_id, external_id as external_user, null as device_id, null as ip, null as network,
          null as action
        from users where world_id = ${worldId} and id = ${wanted}`,
      devices: sql`
        select d.id, d.user_id, u.external_id as external_user, d.id as device_id, null as ip, null as network,
          null as action
        from devices d join users u on u.world_id = ${worldId} and u.id = d.user_id
        where d.world_id = ${worldId} and d.id = ${wanted} and d.merged_into is null`,
      evaluations: sql`
        select e.id, e.user_id, e.external_user, coalesce(d.merged_into, e.device_id) as device_id, e.ip, e.network,
          e.action
        from evaluations e left join devices d on d.world_id = ${worldId} and d.id = e.device_id
        where e.world_id = ${worldId} and e.id = ${wanted}`,
    }[source]
  } order by id`.execute(db);
  return rows;
}

export type NewBulkAction = Pick<BulkActionRow, 'world_id' | 'id' | 'action' | 'created_by' | 'created_at'>;

/** Stores an action that has changed nothing yet. Returns false if it is there already. */
export async function insertBulkAction(db: Database, row: NewBulkAction): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('bulk_actions')
    .values({ ...row, items: '[]', failed: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

type Key = Pick<BulkActionRow, 'world_id' | 'id'>;

/** Adds what was changed to an action. Returns false if the action has ended, or was deleted. */
export async function addItems(db: Database, { world_id, id }: Key, items: readonly BulkItem[]): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update bulk_actions set items = items || ${JSON.stringify(items)}::jsonb
    where world_id = ${world_id} and id = ${id} and finished_at is null
  `.execute(db);
  return numAffectedRows > 0n;
}

export async function setFailed(db: Database, { world_id, id }: Key, failed: number): Promise<void> {
  await db.updateTable('bulk_actions').set({ failed }).where('world_id', '=', world_id).where('id', '=', id).execute();
}

/** Ends an action, unless it has ended. Returns it; undefined if it was deleted. */
export function endBulkAction(db: Database, { world_id, id }: Key, at: Date): Promise<BulkActionRow | undefined> {
  return db
    .updateTable('bulk_actions')
    .set({ finished_at: sql`coalesce(finished_at, ${at}::timestamptz)` })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export function findBulkAction(db: Database, worldId: string, id: string): Promise<BulkActionRow | undefined> {
  return db
    .selectFrom('bulk_actions')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Records that an action was undone. Returns false if it was already. */
export async function setUndone(
  db: Database,
  { world_id, id }: Key,
  { by, at, kept }: { readonly by: string; readonly at: Date; readonly kept: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_actions')
    .set({ undone_by: by, undone_at: at, kept })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
