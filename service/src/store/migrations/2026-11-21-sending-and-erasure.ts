import { type Kysely, sql } from 'kysely';

/** What may hold a person's data in the clear. The planner finds these rows by keys and needs no samples of values. */
const personal = [
  ['users', 'external_id'],
  ['users', 'metadata'],
  ['user_addresses', 'network'],
  ['devices', 'metadata'],
  ['devices', 'last_ip'],
  ['devices', 'last_network'],
  ['evaluations', 'external_user'],
  ['evaluations', 'ip'],
  ['evaluations', 'network'],
  ['evaluations', 'feedback_note'],
  ['challenges', 'external_user'],
  ['challenges', 'ip'],
  ['challenges', 'network'],
  ['events', 'data'],
] as const;

const statements = [
  // While a code is on its way to the provider, no other is sent.
  `alter table challenges add column sending_until timestamptz`,
  // By which the evaluations that name an erased user as referrer are found.
  `alter table evaluations add column referrer_mark bytea`,
  `create index evaluations_by_referrer on evaluations (world_id, referrer_mark) where referrer_mark is not null`,
  // What is on record under a user's name without a user: claims, and refusals of users that are not known.
  `create index evaluations_without_user on evaluations (world_id, external_user) where user_id is null`,
  `create index challenges_without_user on challenges (world_id, external_user) where user_id is null`,
  `create index events_of_conversion on events ((data #>> '{from_user,_id}')) where type = 'user.converted'`,
  `create index variants_by_age on variants (world_id, last_seen_at)`,
  // Without these, removing a variant or an identity would read all devices to see that none refers to it.
  `create index devices_by_variant on devices (variant_id)`,
  `create index devices_of_identity on devices (identity_id)`,
  `create index device_variants_by_variant on device_variants (variant_id)`,
  `create index identities_by_merged on identities (merged_into) where merged_into is not null`,
  // PostgreSQL keeps samples of a column's values for its planner, and an erased value would live on there.
  ...personal.map(([table, column]) => `alter table ${table} alter column ${column} set statistics 0`),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
