import { sql } from 'kysely';
import type { Database } from '../service.js';

/**
 * Records that a network forwards requests, and deletes networks not seen since a given time. New networks are dropped
 * above a limit, because anyone can send the headers.
 */
export async function saveForwarder(
  db: Database,
  { network, at, since, limit }: { network: string; at: Date; since: Date; limit: number },
): Promise<void> {
  await db.deleteFrom('forwarders').where('seen_at', '<', since).execute();
  await sql`
    insert into forwarders (network, seen_at)
    select ${network}::text, ${at}::timestamptz
    where (select count(*) from forwarders) < ${sql.lit(limit)}
      or exists (select from forwarders where network = ${network})
    on conflict (network) do update set seen_at = greatest(forwarders.seen_at, excluded.seen_at)
  `.execute(db);
}

/** Returns the networks that forwarded requests since a given time, the latest first. */
export async function listForwarders(db: Database, since: Date): Promise<{ network: string; seen_at: Date }[]> {
  return db.selectFrom('forwarders').selectAll().where('seen_at', '>=', since).orderBy('seen_at', 'desc').execute();
}
