import { type Kysely, sql } from 'kysely';
import { evaluationStatements } from './initial/evaluations.js';
import { eventStatements } from './initial/events.js';
import { installationStatements } from './initial/installation.js';
import { peopleStatements } from './initial/people.js';

/**
 * Columns that may contain personal data, in clear text or sealed. PostgreSQL's planner statistics store sample values,
 * where erased data would remain. These rows are found by keys, so the planner does not need samples.
 */
const personal: Readonly<Record<string, readonly string[]>> = {
  users: ['external_id', 'email', 'email_mark', 'phone', 'phone_mark', 'metadata'],
  user_addresses: ['network'],
  devices: ['metadata', 'last_ip', 'last_network'],
  device_keys: ['thumbprint'],
  evaluations: ['external_user', 'request', 'ip', 'network', 'feedback_note', 'referrer_mark', 'key_thumbprint'],
  claims: ['user_index', 'content'],
  challenges: ['external_user', 'ip', 'network', 'code_hash', 'key_thumbprint'],
  challenge_visits: ['return_url', 'code_hash'],
  events: ['data'],
  event_onces: ['once'],
  idempotency: ['idempotency_key', 'body_mark', 'answer'],
};

const statements = [
  ...installationStatements,
  ...peopleStatements,
  ...evaluationStatements,
  ...eventStatements,
  ...Object.entries(personal).flatMap(([table, columns]) =>
    columns.map((column) => `alter table ${table} alter column ${column} set statistics 0`),
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
