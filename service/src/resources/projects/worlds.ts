import type { Caller, Database } from '../service.js';
import { listWorldRows, type WorldRow } from './queries/world-rows.js';
import { type Settings, settingsSchema } from './rules/settings.js';

/** World that a job works on: a caller without a key. */
export interface World extends Pick<Caller, 'worldId' | 'mode' | 'project'> {
  readonly settings: Settings;
}

/** Returns all worlds, or the one with this ID. */
export async function readWorlds(db: Database, id?: string): Promise<World[]> {
  return (await listWorldRows(db, id)).map(toWorld);
}

export function toWorld(row: WorldRow): World {
  return {
    worldId: row.id,
    mode: row.mode,
    project: { id: row.project_id, name: row.name, createdAt: row.created_at },
    settings: settingsSchema.parse(row.settings),
  };
}
