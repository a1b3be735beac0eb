import { sql } from 'kysely';
import type { Database, Transaction } from '../service.js';

export interface FailureRow {
  readonly failures: number;
  readonly last_at: Date;
  readonly locked_until: Date;
}

/** Value of `locked_until` for a subject that is not locked. */
export const notLocked = new Date(0);

/** Blind indexes of an account or a network. The first is made with the current master secret. */
export type Subject = readonly [Uint8Array, ...Uint8Array[]];

/** Returns the failures of a subject and locks its row for the transaction. Inserts a row if there is none. */
export async function lockFailures(trx: Transaction, [subject, ...previous]: Subject, now: Date): Promise<FailureRow> {
  await adoptFailures(trx, subject, previous);
  return (
    trx
      .insertInto('sign_in_failures')
      .values({ subject, failures: 0, last_at: now, locked_until: notLocked })
      // Changes nothing, but locks the row, or inserts it again if another transaction has just deleted it.
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
      .returning(['failures', 'last_at', 'locked_until'])
      .executeTakeFirstOrThrow()
  );
}

/** Moves failures counted under a previous master secret to the current blind index. */
async function adoptFailures(trx: Transaction, subject: Uint8Array, previous: readonly Uint8Array[]): Promise<void> {
  if (previous.length === 0) return;
  await sql`
    update sign_in_failures set subject = ${subject}
    where subject = (
      select f.subject from sign_in_failures f where f.subject = any(${[...previous]}::bytea[])
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

/** Takes back an attempt that was counted before its password turned out to be correct. */
export async function takeFailureBack(db: Database, [subject]: Subject): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set({ failures: sql<number>`greatest(failures - 1, 0)`, locked_until: notLocked })
    .where('subject', '=', subject)
    .execute();
}

/** Deletes outdated rows, at most `limit` at a time. Returns the number of deleted rows. */
export async function removeOldFailures(db: Database, { before, limit }: { before: Date; limit: number }) {
  const { numAffectedRows = 0n } = await sql`
    delete from sign_in_failures where subject in (
      select subject from sign_in_failures where last_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
