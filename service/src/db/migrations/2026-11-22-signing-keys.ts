import { type Kysely, sql } from 'kysely';

const statements = [
  // The keys that a project's tokens are signed with: one in use, those before it as long as their tokens live, and one
  // that is published before it is used.
  `create table signing_keys (
    kid text primary key,
    project_id uuid not null references projects on delete cascade,
    private_key bytea not null,
    public_key jsonb not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    published_until timestamptz
  )`,
  `create index signing_keys_of_project on signing_keys (project_id, signs_from desc)`,
  `insert into signing_keys (kid, project_id, private_key, public_key, created_at, signs_from)
    select signing_public ->> 'kid', id, signing_key, signing_public, created_at, created_at from projects`,
  // Read by processes of the version before alone; new projects and rotations leave them empty.
  `alter table projects alter column signing_key drop not null`,
  `alter table projects alter column signing_public drop not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
