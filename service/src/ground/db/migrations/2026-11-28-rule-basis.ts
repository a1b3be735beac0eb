import { type Kysely, sql } from 'kysely';

const statements = [
  // What verdicts of rules depend on, so that other rules can be tried on an evaluation. Null in those of older versions.
  'alter table evaluations add column rule_basis text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
