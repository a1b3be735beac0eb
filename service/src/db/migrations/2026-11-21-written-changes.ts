import { type Kysely, sql } from 'kysely';

const statements = [
  // A page of the log of a project's changes, and the number of an endpoint's events that were given up.
  `create index setting_changes_of_project on setting_changes (project_id, id desc)`,
  `create index webhook_deliveries_failed on webhook_deliveries (endpoint_id) where status = 'failed'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
