import { type Kysely, sql } from 'kysely';

/** What may hold a person's data, in the clear or sealed. The planner finds these rows by keys, without such samples. */
const personal = [
  ...['external_id', 'email', 'email_mark', 'phone', 'phone_mark', 'metadata'].map((column) => ['users', column]),
  ['user_addresses', 'network'],
  ...['metadata', 'last_ip', 'last_network'].map((column) => ['devices', column]),
  ...['external_user', 'request', 'ip', 'network', 'feedback_note', 'referrer_mark'].map((column) => [
    'evaluations',
    column,
  ]),
  ...['external_user', 'ip', 'network', 'code_hash'].map((column) => ['challenges', column]),
  ['events', 'data'],
  ...['idempotency_key', 'body_mark', 'answer'].map((column) => ['idempotency', column]),
];

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
