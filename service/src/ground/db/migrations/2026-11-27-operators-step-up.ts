import { type Kysely, sql } from 'kysely';

const statements = [
  // The secret of an authenticator app, sealed; the one that is being set up; and the time step of the last code.
  'alter table admins add column totp_secret bytea',
  'alter table admins add column totp_pending bytea',
  'alter table admins add column totp_step bigint',
  `create table admin_passkeys (
    id text primary key,
    admin_id uuid not null references admins on delete cascade,
    public_key text not null,
    counter bigint not null,
    transports jsonb not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  'create index admin_passkeys_of_admin on admin_passkeys (admin_id)',
  `create table admin_recovery_codes (
    hash bytea primary key,
    admin_id uuid not null references admins on delete cascade
  )`,
  'create index admin_recovery_codes_of_admin on admin_recovery_codes (admin_id)',
  // A session that waits for the second factor is not signed in. `ceremony` is the challenge for a passkey.
  'alter table admin_sessions add column is_waiting boolean not null default false',
  'alter table admin_sessions alter column is_waiting drop default',
  'alter table admin_sessions add column ceremony text',
  `create table installation_settings (
    name text primary key,
    value jsonb not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
