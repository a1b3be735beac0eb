import { type Kysely, sql } from 'kysely';

/** An imported address is trusted before the user was ever seen there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_addresses alter column seen_at drop not null`.execute(db);
}
