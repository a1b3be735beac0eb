import { sql } from 'kysely';
import type { Database, Transaction } from '../../service.js';

export interface FailureRow {
  readonly failures: number;
  readonly last_at: Date;
  readonly locked_until: Date;
}

/** Before everything: not locked. */
export const notLocked = new Date(0);

/** The blind indexes of an account or an address, the one of the current master secret first. */
export type Subject = readonly [Uint8Array, ...Uint8Array[]];

/** Returns what is known of a subject, for this transaction alone; a new one has none. */
export async function lockFailures(trx: Transaction, [subject, ...former]: Subject, now: Date): Promise<FailureRow> {
  await adoptFailures(trx, subject, former);
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

/** Gives what was counted under an earlier master secret its new name. */
async function adoptFailures(trx: Transaction, subject: Uint8Array, former: readonly Uint8Array[]): Promise<void> {
  if (former.length === 0) return;
  await sql`
    update sign_in_failures set subject = ${subject}
    where subject = (
      select f.subject from sign_in_failures f where f.subject = any(${[...former]}::bytea[])
      order by f.last_at desc limit 1
    ) and not exists (select from sign_in_failures f where f.subject = ${subject})
  `.execute(trx);
}

export async function saveFailures(db: Database, [subject]: Subject, row: FailureRow): Promise<void> {
  await db.updateTable('sign_in_failures').set(row).where('subject', '=', subject).execute();
}

export async function forgetFailures(db: Database, subject: Subject): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('subject', 'in', subject).execute();
}

/** Takes one back that was counted before it was known to be none. */
export async function takeFailureBack(db: Database, [subject]: Subject): Promise<void> {
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
