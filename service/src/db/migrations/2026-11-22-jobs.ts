import { type Kysely, sql } from 'kysely';

const statements = [
  // Background jobs. `every` is the period of a scheduled job, of which there is one row.
  `create table jobs (
    id uuid primary key,
    name text not null,
    data jsonb not null,
    every interval,
    attempts integer not null default 0,
    next_at timestamptz not null,
    claim uuid
  )`,
  `create unique index jobs_scheduled on jobs (name) where every is not null`,
  `create index jobs_by_time on jobs (name, next_at)`,
  `drop schema if exists pgboss cascade`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
