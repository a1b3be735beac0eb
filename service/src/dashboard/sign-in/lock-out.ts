import { dayMs, hourMs } from '../../ground/time.js';
import type { Address } from '../../resources/addresses/addresses.js';
import {
  codeTolerance,
  forgottenAfterHours,
  knownSourceDays,
  type Tolerance,
  tolerances,
  waitAfter,
} from '../../resources/admins/rules.js';
import {
  type FailureRow,
  forgetFailures,
  lockFailures,
  notLocked,
  type Subject,
  saveFailures,
  takeFailureBack,
} from '../../resources/admins/sign-in-failures-queries.js';
import { emailContext } from '../../resources/audit/audit.js';
import { hasSignedInFrom } from '../../resources/audit/queries.js';
import type { Database, Service, Transaction } from '../../resources/service.js';

/** Result of a password attempt. `locked`: the password was not checked. */
export type AttemptResult<Right> =
  | Right
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly seconds: number };

/** Blind indexes under which a password attempt is counted. */
export interface AttemptSubjects {
  readonly pair: Subject;
  readonly account: Subject;
  readonly source: Subject;
  /** Whether the account was recently signed in to from this source. If so, failures elsewhere do not lock it here. */
  readonly isKnownSource: boolean;
}

/** Returns the blind indexes under which an attempt is counted, whether or not the account exists. */
export async function attemptSubjectsOf(
  db: Database,
  service: Service,
  email: string,
  address: Address | undefined,
): Promise<AttemptSubjects> {
  const { vault } = service;
  const network = address?.network ?? '';
  const since = new Date(service.now().getTime() - knownSourceDays * dayMs);
  return {
    pair: vault.blindIndexes(`${email} ${network}`, 'sign_in.pair'),
    account: vault.blindIndexes(email, 'sign_in.account'),
    source: vault.blindIndexes(network, 'sign_in.address'),
    isKnownSource: await hasSignedInFrom(db, { blindIndexes: vault.blindIndexes(email, emailContext), network, since }),
  };
}

/**
 * Counts an attempt before its password is checked, so that parallel attempts count like sequential ones.
 *
 * @returns Wait in seconds. 0 means that the password may be checked.
 */
export function countAttempt(service: Service, subjects: AttemptSubjects): Promise<number> {
  return service.db.transaction().execute(async (trx) => {
    const locked = await lockRows(trx, subjects, service.now());
    // Read again after waiting for the locks.
    const now = service.now();
    const leftMs = Math.max(...locked.map(({ current }) => current.locked_until.getTime() - now.getTime()));
    // Refused attempts are not counted, so that a locked source cannot lock others.
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    for (const { subject, tolerance, current } of locked)
      await saveFailures(trx, subject, countFailure(current, tolerance, now));
    return 0;
  });
}

/** Counts an attempt to enter a code, before it is checked. Returns the wait in seconds; 0 means that it may be checked. */
export function countCodeAttempt(service: Service, adminId: string): Promise<number> {
  return service.db.transaction().execute(async (trx) => {
    const subject = codeSubject(service, adminId);
    const current = await lockFailures(trx, subject, service.now());
    const now = service.now();
    const leftMs = current.locked_until.getTime() - now.getTime();
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    await saveFailures(trx, subject, countFailure(current, codeTolerance, now));
    return 0;
  });
}

/** Resets the count of wrong codes after a right one. */
export async function resetCodeAttempts(db: Database, service: Service, adminId: string): Promise<void> {
  await forgetFailures(db, codeSubject(service, adminId));
}

function codeSubject({ vault }: Service, adminId: string): Subject {
  return vault.blindIndexes(adminId, 'sign_in.code');
}

/** Locks the rows, always in this order to avoid deadlocks: pair, account, source. */
async function lockRows(trx: Transaction, { pair, account, source, isKnownSource }: AttemptSubjects, now: Date) {
  const counted = [
    { subject: pair, tolerance: tolerances.pair },
    ...(isKnownSource ? [] : [{ subject: account, tolerance: tolerances.account }]),
    { subject: source, tolerance: tolerances.source },
  ];
  const locked = [];
  for (const counter of counted) locked.push({ ...counter, current: await lockFailures(trx, counter.subject, now) });
  return locked;
}

function countFailure({ failures, last_at }: FailureRow, tolerance: Tolerance, now: Date): FailureRow {
  const isForgotten = now.getTime() - last_at.getTime() > forgottenAfterHours * hourMs;
  const count = (isForgotten ? 0 : failures) + 1;
  const wait = waitAfter(count, tolerance);
  const until = wait === 0 ? notLocked : new Date(now.getTime() + wait * 1000);
  return { failures: count, last_at: now, locked_until: until };
}

/**
 * Resets the count of this account and source after a correct password, and takes this attempt back from the other
 * counts. Their earlier attempts stay, or each sign-in would allow strangers more guesses.
 */
export async function resetAttempts(
  db: Database,
  { pair, account, source, isKnownSource }: AttemptSubjects,
): Promise<void> {
  await forgetFailures(db, pair);
  if (!isKnownSource) await takeFailureBack(db, account);
  await takeFailureBack(db, source);
}

/** Resets the counts of an account after its password was reset by a link. */
export async function resetAttemptsOfAccount(db: Database, { pair, account }: AttemptSubjects): Promise<void> {
  await forgetFailures(db, pair);
  await forgetFailures(db, account);
}
