import type { WorldMode } from '../../../ground/db/schema/index.js';
import type { Database } from '../../service.js';

export interface WorldRow {
  readonly id: string;
  readonly mode: WorldMode;
  readonly project_id: string;
  readonly name: string;
  /** Settings that the project changed. */
  readonly settings: Record<string, unknown>;
  readonly created_at: Date;
}

/** Returns all worlds, or the one with this ID, with their projects. */
export function listWorldRows(db: Database, id?: string): Promise<WorldRow[]> {
  return (id === undefined ? worlds(db) : worlds(db).where('w.id', '=', id)).execute();
}

/** Returns a project's live or test world, with its project. */
export function findWorldRow(db: Database, projectId: string, mode: WorldMode): Promise<WorldRow | undefined> {
  return worlds(db).where('p.id', '=', projectId).where('w.mode', '=', mode).executeTakeFirst();
}

function worlds(db: Database) {
  return db
    .selectFrom('worlds as w')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .select(['w.id', 'w.mode', 'w.project_id', 'p.name', 'p.settings', 'p.created_at']);
}
