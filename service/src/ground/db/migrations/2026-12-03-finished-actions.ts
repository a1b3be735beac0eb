import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table bulk_actions add column finished_at timestamptz',
  'update bulk_actions set finished_at = created_at',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
