import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table saved_views (
    world_id uuid not null references worlds on delete cascade,
    id uuid not null,
    list text not null,
    name text not null,
    filter jsonb not null,
    saved_by text not null,
    saved_at timestamptz not null,
    primary key (world_id, id),
    unique (world_id, list, name)
  )`.execute(db);
}
