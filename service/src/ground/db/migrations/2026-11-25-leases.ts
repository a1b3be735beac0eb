import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table jobs rename column claim to lease',
  'alter table webhook_deliveries rename column claim to lease',
  'alter table idempotency rename column answer to response',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
