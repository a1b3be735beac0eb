import type { WorldMode } from '../../../ground/db/schema/index.js';
import type { KeyScope } from '../../../ground/vocabulary.js';
import type { Database } from '../../service.js';

export interface NewKey {
  readonly id: string;
  readonly worldId: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly KeyScope[];
  readonly hash: Uint8Array;
  readonly hint: string;
  /** The key itself, if it is publishable. */
  readonly publishableKey: string | null;
  readonly now: Date;
}

export interface KeyRow {
  readonly id: string;
  readonly kind: NewKey['kind'];
  readonly scopes: readonly KeyScope[];
  readonly mode: WorldMode;
  readonly hint: string;
  readonly publishable_key: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

export async function insertKey(db: Database, { worldId, publishableKey, now, ...key }: NewKey): Promise<void> {
  const row = { ...key, world_id: worldId, publishable_key: publishableKey, created_at: now };
  await db.insertInto('api_keys').values(row).execute();
}

const keysOfProject = (db: Database, projectId: string) =>
  db
    .selectFrom('api_keys as k')
    .innerJoin('worlds as w', 'w.id', 'k.world_id')
    .select(['k.id', 'k.kind', 'k.scopes', 'w.mode', 'k.hint', 'k.publishable_key', 'k.created_at', 'k.expires_at'])
    .where('w.project_id', '=', projectId);

/** Returns the keys of a project, in one world or both: keys without an expiry first, then the newest first. */
export function listKeyRows(
  db: Database,
  projectId: string,
  { mode, limit }: { mode?: WorldMode | undefined; limit: number },
): Promise<KeyRow[]> {
  const keys = keysOfProject(db, projectId);
  const chosen = mode === undefined ? keys : keys.where('w.mode', '=', mode);
  return chosen
    .orderBy('k.expires_at', 'desc')
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .limit(limit)
    .execute();
}

export function findKeyRow(db: Database, projectId: string, id: string): Promise<KeyRow | undefined> {
  return keysOfProject(db, projectId).where('k.id', '=', id).executeTakeFirst();
}

/** Returns the valid keys of one kind, the newest first. */
export function selectValidKeys(db: Database, worldId: string, kind: NewKey['kind'], now: Date) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'scopes', 'hint', 'expires_at'])
    .where('world_id', '=', worldId)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function expireKey(db: Database, id: string, at: Date): Promise<void> {
  await db.updateTable('api_keys').set({ expires_at: at }).where('id', '=', id).execute();
}
