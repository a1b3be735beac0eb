import type { Insertable, Selectable } from 'kysely';
import type { NoticeKind } from 'whorl/wire';
import type { NoticeTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';
import type { UserKey } from '../users/queries/users.js';

export type NoticeRow = Selectable<NoticeTable>;

export async function insertNotice(db: Database, notice: Insertable<NoticeTable>): Promise<void> {
  await db.insertInto('notices').values(notice).execute();
}

/** Returns the number of a user's notices of one kind since a time. */
export async function countNotices(
  db: Database,
  { world_id, id }: UserKey,
  { kind, since }: { readonly kind: NoticeKind; readonly since: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select((builder) => builder.fn.countAll<string>().as('count'))
    .where('world_id', '=', world_id)
    .where('user_id', '=', id)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns one notice of a world. `lock` locks it until the transaction ends. */
export async function findNotice(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<NoticeRow | undefined> {
  const query = db.selectFrom('notices').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Records that the link of a notice was used. */
export async function useNotice(db: Database, { world_id, id }: NoticeRow, at: Date): Promise<void> {
  await db.updateTable('notices').set({ used_at: at }).where('world_id', '=', world_id).where('id', '=', id).execute();
}

/** Deletes the former addresses of users that messages no longer go to, at most `limit`. Returns their number. */
export async function removeFormerEmails(
  db: Database,
  worldId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ former_email: null, former_email_until: null })
    .where('world_id', '=', worldId)
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('users')
        .select('id')
        .where('world_id', '=', worldId)
        .where('former_email_until', '<', before)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes notices from before a time, at most `limit`. Returns their number. */
export async function removeOldNotices(
  db: Database,
  worldId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('notices')
    .where('world_id', '=', worldId)
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('notices')
        .select('id')
        .where('world_id', '=', worldId)
        .where('created_at', '<', before)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
