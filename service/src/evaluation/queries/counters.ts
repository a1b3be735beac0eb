import { sql } from 'kysely';
import { lockCounter } from '../../db/locks.js';
import type { Database, Transaction } from '../../service.js';

/** Something that may be done so often within a time, which begins when it is done first. */
export interface Ration {
  readonly worldId: string;
  readonly name: string;
  /** Whose ration it is: an id, or a keyed mark. */
  readonly subject: string;
  /** What the subject was called under earlier master secrets: what was counted under these names counts. */
  readonly formerSubjects?: readonly string[];
  readonly limit: number;
  readonly windowSeconds: number;
}

export type RationAnswer =
  | { readonly isLeft: true; readonly windowStart: Date }
  | { readonly isLeft: false; readonly retryAfterSeconds: number };

/** Whether a ration is left, without taking one. */
export async function checkRation(db: Database, ration: Ration, now: Date): Promise<RationAnswer> {
  const { worldId, name, subject, limit, windowSeconds } = ration;
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
  if (!row) return limit > 0 ? { isLeft: true, windowStart: now } : { isLeft: false, retryAfterSeconds: windowSeconds };
  if (row.count < limit) return { isLeft: true, windowStart: row.window_start };
  const end = row.window_start.getTime() + windowSeconds * 1000;
  return { isLeft: false, retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) };
}

/**
 * Takes one of a ration, if one is left. Counted exactly, however many take at once: whoever takes first holds the
 * others off until its transaction ends.
 */
export async function takeRation(db: Transaction, ration: Ration, now: Date): Promise<RationAnswer> {
  const { worldId, name, subject } = ration;
  await lockCounter(db, worldId, name, subject);
  await adoptCounters(db, ration);
  const answer = await checkRation(db, ration, now);
  if (!answer.isLeft) return answer;
  await db
    .insertInto('counters')
    .values({ world_id: worldId, name, subject, window_start: answer.windowStart, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['world_id', 'name', 'subject', 'window_start'])
        .doUpdateSet({ count: sql<number>`counters.count + 1` }),
    )
    .execute();
  return answer;
}

async function adoptCounters(db: Database, { worldId, name, subject, formerSubjects = [] }: Ration): Promise<void> {
  if (formerSubjects.length === 0) return;
  await sql`
    update counters c set subject = ${subject}
    where c.world_id = ${worldId} and c.name = ${name} and c.subject = any(${[...formerSubjects]}::text[])
      and not exists (
        select from counters k where k.world_id = c.world_id and k.name = c.name and k.subject = ${subject}
          and k.window_start = c.window_start
      )
  `.execute(db);
}

/** Gives back what was taken in a window and not used. */
export async function giveBackRation(db: Database, ration: Ration, windowStart: Date): Promise<void> {
  const { worldId, name, subject } = ration;
  await db
    .updateTable('counters')
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where('world_id', '=', worldId)
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('window_start', '=', windowStart)
    .execute();
}

/** A quota whose windows begin at multiples of their length: counted in one statement, without a lock. */
export type Quota = Ration;

/** Consumes one of each quota. Returns the first that was exhausted, with the time until its next window. */
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
        ...{ world_id: worldId, name, subject, count: 1 },
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
