import { type Kysely, sql } from 'kysely';

const statements = [
  // Newest first, in the order of the ids, which is that of time.
  `create index users_by_time on users (world_id, id)`,
  // By bytes, so that the beginning of a name finds it whatever the database's collation is.
  `create index users_by_name on users (world_id, external_id collate "C")`,
  `create index users_by_email on users (world_id, email_mark) where email_mark is not null`,
  `create index users_by_phone on users (world_id, phone_mark) where phone_mark is not null`,
  // Attached devices are listed by the index of those to detach; seeing one of them writes nothing here.
  `create index devices_at_rest on devices (world_id, status, last_seen_at desc, id desc)
    where status <> 'attached' and merged_into is null`,
  // A user's timeline reads each of its lists by its end.
  `drop index challenges_by_user`,
  `create index challenges_by_user on challenges (user_id, created_at desc)`,
  `drop index events_by_user`,
  `create index events_by_user on events (user_id, created_at desc)`,
  // What people did on the dashboard about a user. No samples of ids are needed to find it.
  `create table admin_actions (
    id uuid primary key,
    world_id uuid not null references worlds on delete cascade,
    admin_id uuid not null,
    user_id uuid references users on delete cascade,
    action text not null,
    subject uuid not null,
    created_at timestamptz not null
  )`,
  `create index admin_actions_by_user on admin_actions (user_id, created_at desc)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
