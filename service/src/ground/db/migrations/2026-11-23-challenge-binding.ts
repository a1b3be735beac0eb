import { type Kysely, sql } from 'kysely';

const statements = [
  // Result of comparing the visitor's browser with the one that began the challenge. Null until it is compared.
  'alter table challenge_visits add column browser text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
