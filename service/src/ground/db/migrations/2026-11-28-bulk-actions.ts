import { type Kysely, sql } from 'kysely';

const statements = [
  `create table bulk_actions (
    world_id uuid not null references worlds on delete cascade,
    id uuid not null,
    action text not null,
    items jsonb not null,
    failed integer not null,
    created_by text not null,
    created_at timestamptz not null,
    undone_by text,
    undone_at timestamptz,
    primary key (world_id, id),
    check ((undone_by is null) = (undone_at is null))
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
