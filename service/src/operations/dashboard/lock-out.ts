import type { Address } from '../../domain/addresses.js';
import { forgottenAfterHours, type Tolerance, tolerances, waitAfter } from '../../domain/dashboard/lock-out.js';
import type { Database, Service, Transaction } from '../../service.js';
import {
  forgetFailures,
  lockFailures,
  notLocked,
  saveFailures,
  takeFailureBack,
} from '../../store/queries/sign-in-failures.js';

/** Whose tries of passwords are counted: those of an account, whether it exists or not, and those from an address. */
export interface Trying {
  readonly account: Uint8Array;
  readonly address: Uint8Array;
}

export function tryingOf({ vault }: Service, account: string, address: Address | undefined): Trying {
  return {
    account: vault.mark(account, 'sign_in.account'),
    address: vault.mark(address?.network ?? '', 'sign_in.address'),
  };
}

/**
 * Counts a try before its password is looked at, so that many at once are not more than one after the other.
 *
 * @returns For how many seconds none is looked at; 0: this one is.
 */
export function takeTry(service: Service, { account, address }: Trying): Promise<number> {
  return service.db.transaction().execute(async (trx) => {
    const wait = await countTry(trx, service, account, tolerances.account);
    return wait > 0 ? wait : countTry(trx, service, address, tolerances.address);
  });
}

async function countTry(
  trx: Transaction,
  service: Service,
  subject: Uint8Array,
  tolerance: Tolerance,
): Promise<number> {
  const { failures, last_at, locked_until } = await lockFailures(trx, subject, service.now());
  // Now, and not before others were waited for.
  const now = service.now();
  const leftMs = locked_until.getTime() - now.getTime();
  if (leftMs > 0) return Math.ceil(leftMs / 1000);
  const isForgotten = now.getTime() - last_at.getTime() > forgottenAfterHours * 3_600_000;
  const count = (isForgotten ? 0 : failures) + 1;
  const wait = waitAfter(count, tolerance);
  const until = wait === 0 ? notLocked : new Date(now.getTime() + wait * 1000);
  await saveFailures(trx, subject, { failures: count, last_at: now, locked_until: until });
  return 0;
}

/** The password was right: the account's tries are forgotten, and of the address's this one. */
export async function forgetTries(db: Database, { account, address }: Trying): Promise<void> {
  await forgetFailures(db, account);
  await takeFailureBack(db, address);
}
