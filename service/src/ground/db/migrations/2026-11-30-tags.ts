import { type Kysely, sql } from 'kysely';

const statements = [
  // Tags that rules put on an evaluation. Null takes no space.
  'alter table evaluations add column tags jsonb',
  'alter table challenges add column tags jsonb',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
