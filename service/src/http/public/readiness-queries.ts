import { sql } from 'kysely';
import { migrations } from '../../db/migrations/index.js';
import type { Database } from '../../service.js';

/** Whether the database answers, and has all tables as this version needs them. */
export async function isUpToDate(db: Database): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).every((name) => done.has(name));
}
