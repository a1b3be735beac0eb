import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table weekly_summaries (
    world_id uuid primary key references worlds on delete cascade,
    week timestamptz not null
  )`.execute(db);
}
