import { type Kysely, sql } from 'kysely';

const keys = ['software_key', 'frame_key', 'settled_key'];

const statements = [
  // Groups of facets, by which a fingerprint is found of which another group changed.
  ...keys.map((key) => `alter table variants add column ${key} bigint`),
  ...keys.map(
    (key) =>
      `create index variants_by_${key} on variants (world_id, ${key}, last_seen_at desc) where ${key} is not null and not claimed`,
  ),
  // The device that another one of the same user turned out to be. Not an identity's: it keeps the one it was made with.
  `alter table devices add column merged_into uuid references devices on delete cascade`,
  `create index devices_by_merged on devices (merged_into) where merged_into is not null`,
  `create table identity_merges (
    from_identity uuid primary key references identities on delete cascade,
    into_identity uuid not null references identities on delete cascade,
    world_id uuid not null references worlds on delete cascade,
    cause text not null check (cause in ('last')),
    confidence real not null,
    variant_id uuid not null,
    last_variant_id uuid not null,
    created_at timestamptz not null
  )`,
  `create index identity_merges_by_survivor on identity_merges (into_identity)`,
  `create index identity_merges_by_time on identity_merges (world_id, created_at desc)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
