import { type Kysely, sql } from 'kysely';

const statements = [
  // How the reasons of an evaluation counted towards its verdict. Null in evaluations of older versions.
  'alter table evaluations add column decisions jsonb',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
