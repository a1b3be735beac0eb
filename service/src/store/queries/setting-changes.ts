import { sql } from 'kysely';
import type { Database } from '../../service.js';

/** What `changed_by` begins with where it was an administrator; the id follows. */
export const administratorPrefix = 'administrator ';

/** Of a project: who changed what, and when. */
export interface SettingChangeRow {
  readonly id: string;
  readonly changed_by: string;
  /** Of the administrator who did it, sealed; null where there is no such administrator any more. */
  readonly email: Uint8Array | null;
  readonly changes: Record<string, unknown>;
  readonly created_at: Date;
}

export async function insertSettingChange(
  db: Database,
  change: { id: string; projectId: string; changedBy: string; changes: object; now: Date },
): Promise<void> {
  await db
    .insertInto('setting_changes')
    .values({
      id: change.id,
      project_id: change.projectId,
      changed_by: change.changedBy,
      changes: JSON.stringify(change.changes),
      created_at: change.now,
    })
    .execute();
}

/** The newest first: those before one, or else the newest. */
export function listSettingChanges(
  db: Database,
  projectId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<SettingChangeRow[]> {
  let query = db
    .selectFrom('setting_changes as c')
    .leftJoin('admins as a', (join) => join.on(sql`c.changed_by`, '=', sql`${administratorPrefix}::text || a.id::text`))
    .select(['c.id', 'c.changed_by', 'c.changes', 'c.created_at', 'a.email'])
    .where('c.project_id', '=', projectId);
  if (before !== undefined) query = query.where('c.id', '<', before);
  return query.orderBy('c.id', 'desc').limit(limit).execute();
}
