import type { Schema } from './index.js';

/**
 * Tables with rows of a world. Their primary keys, unique constraints and foreign keys begin with `world_id`, and every
 * statement on them filters by it.
 */
export const worldTables = [
  'users',
  'user_addresses',
  'identities',
  'identity_merges',
  'variants',
  'devices',
  'device_variants',
  'device_keys',
  'spent_nonces',
  'crowds',
  'marks',
  'evaluations',
  'rule_replays',
  'rule_searches',
  'reviews',
  'bulk_actions',
  'claims',
  'challenges',
  'challenge_visits',
  'notices',
  'counters',
  'velocity_counts',
  'velocity_batches',
  'failure_baselines',
  'idempotency',
  'activity_counts',
  'activity_folds',
  'events',
  'event_onces',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
  'alerts',
  'alert_messages',
  'slack_webhooks',
  'weekly_summaries',
  'saved_views',
] as const satisfies readonly (keyof Schema)[];

export type WorldTableName = (typeof worldTables)[number];

/** Tables of the whole installation, each with the reason why it belongs to no world. */
export const installationTables: Readonly<Record<Exclude<keyof Schema, WorldTableName>, string>> = {
  projects: 'a project has two worlds',
  worlds: 'a row is a world',
  api_keys: 'a key is found by its hash before its world is known',
  signing_keys: 'one key signs the tokens of both worlds of a project',
  key_ring: 'all worlds are sealed with one master secret',
  jobs: 'workers take jobs of all worlds',
  request_demands: 'rate limits of all projects are shared by the processes',
  forwarders: 'proxies belong to the installation',
  admins: 'an administrator signs in to the installation',
  admin_sessions: 'a session belongs to an administrator',
  admin_links: 'a link belongs to an administrator',
  admin_identities: 'an identity belongs to an account',
  admin_passkeys: 'a passkey belongs to an account',
  admin_recovery_codes: 'a code belongs to an account',
  installation_settings: 'they apply to the installation',
  list_entries: 'a list applies to both worlds of a project',
  project_members: 'a member belongs to a project with its two worlds',
  sign_in_failures: 'administrators sign in to the installation',
  audit_log: 'most entries concern the installation or a project',
  audit_head: 'the audit log of the installation has one end',
};

/**
 * Installation tables of which each node of a distributed database has a copy, because rows and statements of worlds
 * refer to them. Such tables are written rarely: a write changes all copies.
 */
export const copiedTables = ['projects', 'worlds', 'api_keys', 'list_entries'] as const satisfies readonly Exclude<
  keyof Schema,
  WorldTableName
>[];

/**
 * Installation tables that stay on the coordinator, but are known to Citus: they change in the same transactions as
 * rows of worlds, and only then do both commit or neither, also if the coordinator fails in between.
 */
export const trackedTables = ['jobs'] as const satisfies readonly Exclude<keyof Schema, WorldTableName>[];

/** Tables of a world that are partitioned by month: see partitions.ts. */
export const partitionedTables = ['evaluations', 'events'] as const satisfies readonly WorldTableName[];

export type PartitionedTableName = (typeof partitionedTables)[number];
