import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table devices add column name text',
  'alter table devices add column disowned_at timestamptz',
  // When the user last said "This was not me".
  'alter table users add column disowned_at timestamptz',
  // The oldest address that was replaced within 72 hours, sealed: messages go there too.
  'alter table users add column former_email bytea',
  'alter table users add column former_email_until timestamptz',
  'create index users_by_former_email on users (world_id, former_email_until) where former_email_until is not null',
  `create table notices (
    id uuid not null,
    world_id uuid not null references worlds on delete cascade,
    user_id uuid not null,
    kind text not null check (kind in ('new_device', 'contact_changed', 'denied_attempt')),
    device_id uuid,
    info jsonb not null,
    ip text,
    replaced_email bytea,
    created_at timestamptz not null,
    used_at timestamptz,
    primary key (world_id, id),
    foreign key (world_id, user_id) references users (world_id, id) on delete cascade,
    foreign key (world_id, device_id) references devices (world_id, id) on delete cascade
  )`,
  'create index notices_of_user on notices (world_id, user_id)',
  'create index notices_of_device on notices (world_id, device_id) where device_id is not null',
  'create index notices_by_time on notices (world_id, created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
