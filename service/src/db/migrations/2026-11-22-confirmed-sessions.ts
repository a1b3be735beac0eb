import { type Kysely, sql } from 'kysely';

const statements = [
  // When the password was entered once more, for what needs that.
  `alter table admin_sessions add column confirmed_at timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
