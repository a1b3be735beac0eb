import type { Database } from '../../service.js';
import type { WorldMode } from '../schema/index.js';

export interface WorldRow {
  readonly id: string;
  readonly mode: WorldMode;
  readonly project_id: string;
  readonly name: string;
  /** What the project set. */
  readonly settings: Record<string, unknown>;
  readonly created_at: Date;
}

/** All worlds, or the one of an id, with their projects. */
export async function listWorldRows(db: Database, id?: string): Promise<WorldRow[]> {
  const worlds = db
    .selectFrom('worlds as w')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .select(['w.id', 'w.mode', 'w.project_id', 'p.name', 'p.settings', 'p.created_at']);
  return (id === undefined ? worlds : worlds.where('w.id', '=', id)).execute();
}

/** A project's live or test world. */
export async function findWorldId(db: Database, projectId: string, mode: WorldMode): Promise<string | undefined> {
  const world = await db
    .selectFrom('worlds')
    .select('id')
    .where('project_id', '=', projectId)
    .where('mode', '=', mode)
    .executeTakeFirst();
  return world?.id;
}
