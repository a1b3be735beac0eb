import { type Kysely, sql } from 'kysely';

const statements = [
  // The keys that a device was allowed with, by thumbprint. Those of a detached device count no more for its trust, but
  // tell still whose device it was.
  `create table device_keys (
    device_id uuid not null references devices on delete cascade,
    world_id uuid not null,
    thumbprint text not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (device_id, thumbprint)
  )`,
  `create index device_keys_by_thumbprint on device_keys (world_id, thumbprint, device_id)`,
  `create table spent_nonces (
    world_id uuid not null,
    nonce text not null,
    expires_at timestamptz not null,
    primary key (world_id, nonce)
  )`,
  `create index spent_nonces_by_age on spent_nonces (expires_at)`,
  // Whether it holds a key that is not revoked.
  `alter table devices add column proven boolean not null default false`,
  `alter table evaluations add column proof text`,
  // What was proved, kept until the evaluation is consumed or the challenge completed.
  `alter table evaluations add column key_thumbprint text`,
  `alter table challenges add column key_thumbprint text`,
  // Another key is another device, and its challenge another one: nobody's key rides on a code that somebody else types.
  `drop index challenges_open`,
  `create unique index challenges_open on challenges
    (world_id, external_user, identity_id, action, coalesce(network, ''), coalesce(key_thumbprint, ''))
    where status = 'pending'`,
  // As with all that is a person's: see the migration of sending and erasure.
  ...[
    ['device_keys', 'thumbprint'],
    ['evaluations', 'key_thumbprint'],
    ['challenges', 'key_thumbprint'],
  ].map(([table, column]) => `alter table ${table} alter column ${column} set statistics 0`),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
