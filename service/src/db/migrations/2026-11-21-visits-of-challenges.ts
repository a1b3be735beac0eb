import { type Kysely, sql } from 'kysely';

const statements = [
  // Who has come to the managed challenge page by a link; a link leads there once.
  `create table challenge_visits (
    id uuid primary key,
    world_id uuid not null,
    challenge_id uuid not null references challenges on delete cascade,
    link_hash bytea not null unique,
    session_hash bytea not null unique,
    claimed boolean not null,
    return_url bytea,
    asks integer not null default 0,
    asked_at timestamptz,
    tries integer not null default 0,
    verified_at timestamptz,
    notice text,
    notice_until timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index challenge_visits_of_challenge on challenge_visits (challenge_id)`,
  `create index challenge_visits_by_age on challenge_visits (expires_at)`,
  // As with all that may be a person's: see the migration of sending and erasure.
  `alter table challenge_visits alter column return_url set statistics 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
