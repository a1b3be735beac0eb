import { type Kysely, sql } from 'kysely';

const statements = [
  `create table alerts (
    world_id uuid not null references worlds on delete cascade,
    kind text not null,
    subject text not null,
    content jsonb not null,
    began_at timestamptz not null,
    announced_at timestamptz,
    ended_at timestamptz,
    primary key (world_id, kind, subject)
  )`,
  `create table alert_messages (
    world_id uuid not null references worlds on delete cascade,
    id uuid not null,
    email text,
    content jsonb not null,
    created_at timestamptz not null,
    primary key (world_id, id)
  )`,
  `create table slack_webhooks (
    world_id uuid primary key references worlds on delete cascade,
    url bytea not null,
    created_at timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
