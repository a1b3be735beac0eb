import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table challenges add column verified_by text',
  `alter table challenges add column methods jsonb default '[]'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
