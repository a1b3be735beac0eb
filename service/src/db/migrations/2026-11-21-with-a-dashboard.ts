import { type Kysely, sql } from 'kysely';

const statements = [
  // Who may look at the dashboard.
  `create table admins (
    id uuid primary key,
    email bytea not null,
    email_mark bytea not null unique,
    password_hash text not null,
    created_at timestamptz not null
  )`,
  `create table admin_sessions (
    hash bytea primary key,
    admin_id uuid not null references admins on delete cascade,
    notice bytea,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index admin_sessions_of_admin on admin_sessions (admin_id)`,
  `create index admin_sessions_by_age on admin_sessions (expires_at)`,
  // Links by which somebody becomes an administrator, or sets a new password; each leads there once.
  `create table admin_links (
    hash bytea primary key,
    for_first boolean not null,
    expires_at timestamptz not null
  )`,
  // Tries of passwords that were wrong, under keyed marks of account or address.
  `create table sign_in_failures (
    subject bytea primary key,
    failures integer not null,
    last_at timestamptz not null,
    locked_until timestamptz not null
  )`,
  `create index sign_in_failures_by_age on sign_in_failures (last_at)`,
  // What happened in each hour, counted, without whom it concerned.
  `create table activity_counts (
    world_id uuid not null references worlds on delete cascade,
    hour timestamptz not null,
    kind text not null,
    label text not null,
    count integer not null,
    primary key (world_id, hour, kind, label)
  )`,
  // Up to when what a world has of something is in these counts.
  `create table activity_folds (
    world_id uuid not null references worlds on delete cascade,
    source text not null,
    until timestamptz not null,
    primary key (world_id, source)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
