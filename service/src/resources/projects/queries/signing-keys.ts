import { type Insertable, type Selectable, sql } from 'kysely';
import type { SigningKeyTable } from '../../../ground/db/schema/index.js';
import type { Database, Transaction } from '../../service.js';

export type SigningKeyRow = Selectable<SigningKeyTable>;

export async function insertSigningKey(db: Database, key: Insertable<SigningKeyTable>): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Returns the published keys of a project, the one that starts signing last first. */
export function listSigningKeys(db: Database, projectId: string, now: Date): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((key) => key.or([key('published_until', 'is', null), key('published_until', '>', now)]))
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute();
}

/** Returns the public keys that tokens may be signed with, of all projects, the oldest first. */
export async function listPublicKeys(db: Database, now: Date): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select('public_key')
    .where((key) => key.or([key('published_until', 'is', null), key('published_until', '>', now)]))
    .orderBy('created_at')
    .orderBy('kid')
    .execute();
  return rows.map((row) => row.public_key);
}

/** Ends the publication of a project's keys at a time, or earlier if that was already set. */
export async function endPublication(trx: Transaction, projectId: string, until: Date): Promise<void> {
  await trx
    .updateTable('signing_keys')
    .set({ published_until: until })
    .where('project_id', '=', projectId)
    .where((key) => key.or([key('published_until', 'is', null), key('published_until', '>', until)]))
    .execute();
}

export async function removeOldSigningKeys(db: Database, now: Date): Promise<void> {
  await sql`delete from signing_keys where published_until < ${now}`.execute(db);
}
