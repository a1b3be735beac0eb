import { sql } from 'kysely';
import { lockCounter } from '../../ground/db/locks.js';
import type { Database, Transaction } from '../service.js';

/** Limit on how often a subject may do something within a window of time. */
export interface Quota {
  readonly worldId: string;
  readonly name: string;
  /** Subject of the quota: an ID or a blind index. */
  readonly subject: string;
  /** Blind indexes of the subject under earlier master secrets. Their counts are included. */
  readonly previousSubjects?: readonly string[];
  readonly limit: number;
  readonly windowSeconds: number;
}

export type QuotaResult =
  | { readonly isAvailable: true; readonly windowStart: Date }
  | { readonly isAvailable: false; readonly retryAfterSeconds: number };

/** Returns whether the quota is available, without consuming it. The window begins with the first use. */
export async function checkQuota(db: Database, quota: Quota, now: Date): Promise<QuotaResult> {
  const { worldId, name, subject, limit, windowSeconds } = quota;
  const row = await db
    .selectFrom('counters')
    .select(['window_start', 'count'])
    .where('world_id', '=', worldId)
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('window_start', '>', new Date(now.getTime() - windowSeconds * 1000))
    .orderBy('window_start', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row)
    return limit > 0
      ? { isAvailable: true, windowStart: now }
      : { isAvailable: false, retryAfterSeconds: windowSeconds };
  if (row.count < limit) return { isAvailable: true, windowStart: row.window_start };
  const end = row.window_start.getTime() + windowSeconds * 1000;
  return { isAvailable: false, retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) };
}

/**
 * Consumes one unit of a quota if it is available. The window begins with the first use. The count is exact: concurrent
 * callers wait until the transaction ends.
 */
export async function consumeQuota(db: Transaction, quota: Quota, now: Date): Promise<QuotaResult> {
  const { worldId, name, subject } = quota;
  await lockCounter(db, worldId, name, subject);
  await adoptCounters(db, quota);
  const result = await checkQuota(db, quota, now);
  if (!result.isAvailable) return result;
  await db
    .insertInto('counters')
    .values({ world_id: worldId, name, subject, window_start: result.windowStart, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['world_id', 'name', 'subject', 'window_start'])
        .doUpdateSet({ count: sql<number>`counters.count + 1` }),
    )
    .execute();
  return result;
}

async function adoptCounters(db: Database, { worldId, name, subject, previousSubjects = [] }: Quota): Promise<void> {
  if (previousSubjects.length === 0) return;
  await sql`
    update counters c set subject = ${subject}
    where c.world_id = ${worldId} and c.name = ${name} and c.subject = any(${[...previousSubjects]}::text[])
      and not exists (
        select from counters k where k.world_id = c.world_id and k.name = c.name and k.subject = ${subject}
          and k.window_start = c.window_start
      )
  `.execute(db);
}

/** Releases one unit that was consumed in a window but not used. */
export async function releaseQuota(db: Database, quota: Quota, windowStart: Date): Promise<void> {
  const { worldId, name, subject } = quota;
  await db
    .updateTable('counters')
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where('world_id', '=', worldId)
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('window_start', '=', windowStart)
    .execute();
}

/**
 * Consumes one unit of each quota. Their windows begin at multiples of their length, so they are counted in one statement
 * without a lock. Returns the time until the next window of the first quota that is exhausted.
 */
export async function consumeQuotas(
  db: Database,
  quotas: readonly Quota[],
  now: Date,
): Promise<{ readonly retryAfterSeconds: number } | undefined> {
  const windows = quotas.map(({ windowSeconds }) => {
    const lengthMs = windowSeconds * 1000;
    return new Date(Math.floor(now.getTime() / lengthMs) * lengthMs);
  });
  for (const quota of quotas) await adoptCounters(db, quota);
  const rows = await db
    .insertInto('counters')
    .values(
      quotas.map(({ worldId, name, subject }, at) => ({
        world_id: worldId,
        name,
        subject,
        count: 1,
        window_start: windows[at] ?? now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['world_id', 'name', 'subject', 'window_start'])
        .doUpdateSet({ count: sql<number>`counters.count + 1` }),
    )
    .returning(['name', 'count'])
    .execute();
  for (const [at, { name, limit, windowSeconds }] of quotas.entries()) {
    const count = rows.find((row) => row.name === name)?.count ?? 0;
    if (count <= limit) continue;
    const endMs = (windows[at] ?? now).getTime() + windowSeconds * 1000;
    return { retryAfterSeconds: Math.max(1, Math.ceil((endMs - now.getTime()) / 1000)) };
  }
  return undefined;
}
