import { type Kysely, sql } from 'kysely';

const statements = [
  `create table rule_searches (
    world_id uuid not null references worlds on delete cascade,
    id uuid not null,
    target jsonb not null,
    status text not null check (status in ('waiting', 'running', 'finished', 'cancelled', 'failed')),
    report jsonb,
    created_at timestamptz not null,
    ended_at timestamptz,
    primary key (world_id, id)
  )`,
  // One at a time.
  `create unique index rule_searches_active on rule_searches (world_id) where status in ('waiting', 'running')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
