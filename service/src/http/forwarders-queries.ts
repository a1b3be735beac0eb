import { sql } from 'kysely';
import type { Database } from '../service.js';

/**
 * Keeps that a network forwards requests, and removes those not seen since a moment. Where there are so many that anyone
 * could have made them up, new ones are left out.
 */
export async function saveForwarder(
  db: Database,
  { network, at, since, most }: { network: string; at: Date; since: Date; most: number },
): Promise<void> {
  await db.deleteFrom('forwarders').where('seen_at', '<', since).execute();
  await sql`
    insert into forwarders (network, seen_at)
    select ${network}::text, ${at}::timestamptz
    where (select count(*) from forwarders) < ${sql.lit(most)}
      or exists (select from forwarders where network = ${network})
    on conflict (network) do update set seen_at = greatest(forwarders.seen_at, excluded.seen_at)
  `.execute(db);
}

/** Returns the networks that forwarded requests since a moment, the latest first. */
export async function listForwarders(db: Database, since: Date): Promise<{ network: string; seen_at: Date }[]> {
  return db.selectFrom('forwarders').selectAll().where('seen_at', '>=', since).orderBy('seen_at', 'desc').execute();
}
