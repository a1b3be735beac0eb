import { sql } from 'kysely';
import type { Database, Transaction } from '../../service.js';

export interface FailureRow {
  readonly failures: number;
  readonly last_at: Date;
  readonly locked_until: Date;
}

/** Before everything: not locked. */
export const notLocked = new Date(0);

/** What is known of a subject, for this transaction alone; a new one has none. */
export function lockFailures(trx: Transaction, subject: Uint8Array, now: Date): Promise<FailureRow> {
  return (
    trx
      .insertInto('sign_in_failures')
      .values({ subject, failures: 0, last_at: now, locked_until: notLocked })
      // Changes nothing, but holds the row, or makes it anew where another transaction has just removed it.
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
      .returning(['failures', 'last_at', 'locked_until'])
      .executeTakeFirstOrThrow()
  );
}

export async function saveFailures(db: Database, subject: Uint8Array, row: FailureRow): Promise<void> {
  await db.updateTable('sign_in_failures').set(row).where('subject', '=', subject).execute();
}

export async function forgetFailures(db: Database, subject: Uint8Array): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}

/** Takes one back that was counted before it was known to be none. */
export async function takeFailureBack(db: Database, subject: Uint8Array): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set({ failures: sql<number>`greatest(failures - 1, 0)`, locked_until: notLocked })
    .where('subject', '=', subject)
    .execute();
}

/** Removes what is forgotten, so many at most; answers how many went. */
export async function removeOldFailures(db: Database, { before, limit }: { before: Date; limit: number }) {
  const { numAffectedRows = 0n } = await sql`
    delete from sign_in_failures where subject in (
      select subject from sign_in_failures where last_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
