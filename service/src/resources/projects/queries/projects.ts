import { sql, type Transaction } from 'kysely';
import type { Schema, WorldMode } from '../../../ground/db/schema/index.js';
import type { KeyScope } from '../../../ground/vocabulary.js';
import type { Database } from '../../service.js';

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly settings: Record<string, unknown>;
  readonly created_at: Date;
}

export interface CallerRow {
  readonly key_id: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly KeyScope[];
  readonly expires_at: Date | null;
  readonly world_id: string;
  readonly mode: WorldMode;
  readonly project_id: string;
  readonly name: string;
  readonly settings: Record<string, unknown>;
  readonly created_at: Date;
}

const projectColumns = ['id', 'name', 'settings', 'created_at'] as const;

/** Returns the key with this hash, with its project and world; uses one index look-up. */
export function findCallerRow(db: Database, hash: Uint8Array): Promise<CallerRow | undefined> {
  return db
    .selectFrom('api_keys as k')
    .innerJoin('worlds as w', 'w.id', 'k.world_id')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .select(['k.id as key_id', 'k.kind', 'k.scopes', 'k.expires_at', 'w.id as world_id', 'w.mode'])
    .select(['p.id as project_id', 'p.name', 'p.settings', 'p.created_at'])
    .where('k.hash', '=', hash)
    .executeTakeFirst();
}

/** Returns all projects, the oldest first. */
export function selectProjects(db: Database): Promise<ProjectRow[]> {
  return db.selectFrom('projects').select(projectColumns).orderBy('created_at').orderBy('id').execute();
}

export function findProjectRow(db: Database, id: string): Promise<ProjectRow | undefined> {
  return db.selectFrom('projects').select(projectColumns).where('id', '=', id).executeTakeFirst();
}

/** Returns the projects with this name or ID: at most one, unless a project's name is another's ID. */
export function selectProjectsNamed(db: Database, nameOrId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .select(projectColumns)
    .where(({ eb, or }) => or([eb('name', '=', nameOrId), eb(sql<string>`id::text`, '=', nameOrId)]))
    .execute();
}

/** Serialises transactions that create or change projects. */
export async function lockProjects(trx: Transaction<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('projects', 0))`.execute(trx);
}

export async function insertProject(db: Database, project: { id: string; name: string; now: Date }): Promise<void> {
  await db
    .insertInto('projects')
    .values({
      id: project.id,
      name: project.name,
      settings: '{}',
      created_at: project.now,
    })
    .execute();
}

export async function insertWorld(db: Database, world: { id: string; projectId: string; mode: WorldMode }) {
  await db.insertInto('worlds').values({ id: world.id, project_id: world.projectId, mode: world.mode }).execute();
}

export async function worldOf(db: Database, projectId: string, mode: WorldMode): Promise<string> {
  const { id } = await db
    .selectFrom('worlds')
    .select('id')
    .where('project_id', '=', projectId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveSettings(db: Database, projectId: string, settings: Record<string, unknown>): Promise<void> {
  await db
    .updateTable('projects')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', projectId)
    .execute();
}
