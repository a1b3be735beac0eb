import { type Kysely, sql } from 'kysely';

const statements = [
  // Networks that lately sent X-Forwarded-For or Forwarded, and are not among the trusted proxies.
  `create table forwarders (
    network text primary key,
    seen_at timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
