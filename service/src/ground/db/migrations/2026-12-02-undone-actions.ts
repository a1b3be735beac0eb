import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bulk_actions add column kept integer not null default 0`.execute(db);
}
