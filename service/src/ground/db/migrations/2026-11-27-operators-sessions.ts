import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table admin_sessions add column id uuid not null default gen_random_uuid() unique',
  'alter table admin_sessions alter column id drop default',
  // Browser and system, and the network of the last use, as the account's page shows them.
  'alter table admin_sessions add column device text',
  'alter table admin_sessions add column network text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
