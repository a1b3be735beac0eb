import type { Address } from '../../domain/addresses.js';
import { forgottenAfterHours, type Tolerance, tolerances, waitAfter } from '../../domain/dashboard/lock-out.js';
import type { Database, Service } from '../../service.js';
import {
  type FailureRow,
  forgetFailures,
  lockFailures,
  notLocked,
  type Subject,
  saveFailures,
  takeFailureBack,
} from '../../store/queries/sign-in-failures.js';

/** Whose tries of passwords are counted: those of an account, whether it exists or not, and those from an address. */
export interface Trying {
  readonly account: Subject;
  readonly address: Subject;
}

export function tryingOf({ vault }: Service, account: string, address: Address | undefined): Trying {
  return {
    account: vault.marks(account, 'sign_in.account'),
    address: vault.marks(address?.network ?? '', 'sign_in.address'),
  };
}

/**
 * Counts a try before its password is looked at, so that many at once are not more than one after the other.
 *
 * @returns For how many seconds none is looked at; 0: this one is.
 */
export function takeTry(service: Service, { account, address }: Trying): Promise<number> {
  return service.db.transaction().execute(async (trx) => {
    const held = [
      { subject: account, tolerance: tolerances.account, known: await lockFailures(trx, account, service.now()) },
      { subject: address, tolerance: tolerances.address, known: await lockFailures(trx, address, service.now()) },
    ];
    // Now, and not before others were waited for.
    const now = service.now();
    const leftMs = Math.max(...held.map(({ known }) => known.locked_until.getTime() - now.getTime()));
    // What is not looked at counts for neither: from a locked address nobody locks others' accounts.
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    for (const { subject, tolerance, known } of held) await saveFailures(trx, subject, afterTry(known, tolerance, now));
    return 0;
  });
}

function afterTry({ failures, last_at }: FailureRow, tolerance: Tolerance, now: Date): FailureRow {
  const isForgotten = now.getTime() - last_at.getTime() > forgottenAfterHours * 3_600_000;
  const count = (isForgotten ? 0 : failures) + 1;
  const wait = waitAfter(count, tolerance);
  const until = wait === 0 ? notLocked : new Date(now.getTime() + wait * 1000);
  return { failures: count, last_at: now, locked_until: until };
}

/** The password was right: the account's tries are forgotten, and of the address's this one. */
export async function forgetTries(db: Database, { account, address }: Trying): Promise<void> {
  await forgetFailures(db, account);
  await takeFailureBack(db, address);
}
