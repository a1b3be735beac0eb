import { type Kysely, sql } from 'kysely';

/** Text takes half the bytes of `jsonb`, and no query reads what is in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table evaluations alter column risk type text using risk::text`.execute(db);
}
