import { type Kysely, sql } from 'kysely';

const statements = [
  // Very many devices may look alike: whose device of an identity, or whose fingerprint, is found without reading them all.
  `drop index devices_of_identity`,
  `create index devices_of_identity on devices (identity_id, user_id)`,
  `drop index device_variants_by_variant`,
  `create index device_variants_by_variant on device_variants (variant_id, device_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
