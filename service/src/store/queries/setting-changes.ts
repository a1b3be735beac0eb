import type { Database } from '../../service.js';

/** Of a project: who changed what, and when. */
export interface SettingChangeRow {
  readonly id: string;
  readonly changed_by: string;
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
    .selectFrom('setting_changes')
    .select(['id', 'changed_by', 'changes', 'created_at'])
    .where('project_id', '=', projectId);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}
