import { type Kysely, sql } from 'kysely';

const statements = [
  // What a publishable key sent, until the secret key consumes it or a day has passed.
  `create table claims (
    world_id uuid not null references worlds on delete cascade,
    id uuid not null,
    user_index bytea not null,
    content bytea not null,
    challenge_id uuid,
    same_challenge bigint,
    status text not null default 'open' check (status in ('open', 'skipped', 'superseded')),
    primary key (world_id, id)
  )`,
  `create index claims_by_user on claims (world_id, user_index)`,
  `create index claims_by_challenge on claims (world_id, challenge_id) where challenge_id is not null`,
  `create index claims_by_same_challenge on claims (world_id, same_challenge) where challenge_id is not null`,
  // The planner finds claims by keys; samples of a column would outlive an erased value.
  ...['user_index', 'content'].map((column) => `alter table claims alter column ${column} set statistics 0`),

  // A visit that a claim opened keeps its code to itself, and begins before the challenge is on record.
  `alter table challenge_visits add column code_hash bytea`,
  `alter table challenge_visits alter column code_hash set statistics 0`,
  `alter table challenge_visits drop constraint challenge_visits_challenge_id_fkey`,

  // How often something of a user was revoked, and at which count a device was, or the user suspended: a challenge or a
  // claim from before takes no effect afterwards, whatever the clocks of processes say.
  `alter table users add column revocations integer not null default 0`,
  `alter table users add column suspension integer not null default 0`,
  `alter table devices add column revocation integer not null default 0`,
  `alter table challenges add column revocations integer not null default 0`,

  // Claims were kept among evaluations, challenges and fingerprints.
  `delete from evaluations where claimed and consumed_at is null`,
  `delete from challenges where announced_at is null`,
  `alter table challenges drop column announced_at`,
  `delete from variants v where v.claimed
    and not exists (select from devices d where d.variant_id = v.id)
    and not exists (select from device_variants k where k.variant_id = v.id)
    and not exists (select from challenges c where c.variant_id = v.id)`,
  `delete from identities i
    where not exists (select from variants v where v.identity_id = i.id)
      and not exists (select from devices d where d.identity_id = i.id)
      and not exists (select from identities m where m.merged_into = i.id)`,
  `drop index variants_by_hardware`,
  ...['software_key', 'frame_key', 'settled_key'].map((key) => `drop index variants_by_${key}`),
  `alter table variants drop column claimed`,
  `create index variants_by_hardware on variants (world_id, hardware_key, last_seen_at desc)
    where hardware_key is not null`,
  ...['software_key', 'frame_key', 'settled_key'].map(
    (key) =>
      `create index variants_by_${key} on variants (world_id, ${key}, last_seen_at desc) where ${key} is not null`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
