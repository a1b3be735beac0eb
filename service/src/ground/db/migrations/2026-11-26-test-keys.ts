import { type Kysely, sql } from 'kysely';

const statements = [
  // The setting is also about reasons other than `automation` now.
  `update projects set settings = settings - 'enforce_automation_for_test_keys'
    || jsonb_build_object('enforce_for_test_keys', settings -> 'enforce_automation_for_test_keys')
    where settings ? 'enforce_automation_for_test_keys'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
