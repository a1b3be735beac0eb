import { type Kysely, sql } from 'kysely';
import { DatabaseUnavailableError, readOnlyState } from './availability.js';
import type { Schema } from './schema/index.js';

/** @throws DatabaseUnavailableError if PostgreSQL accepts no changes, for example because it is a standby. */
export async function requireWritable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"
  `.execute(db);
  if (!rows[0]?.isReadOnly) return;
  const cause = Object.assign(new Error('The transaction is read-only'), { code: readOnlyState });
  throw new DatabaseUnavailableError('The database is read-only', { cause });
}
