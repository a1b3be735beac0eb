import { type Kysely, sql } from 'kysely';

const statements = [
  // Publishable keys are public: every page contains one. Null for secret keys, and for keys of older versions.
  'alter table api_keys add column publishable_key text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
