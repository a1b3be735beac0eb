import type { Address } from '../../addresses/addresses.js';
import { emailContext } from '../../audit/audit.js';
import { hasSignedInFrom } from '../../audit/queries.js';
import type { Database, Service, Transaction } from '../../service.js';
import { forgottenAfterHours, knownSourceDays, type Tolerance, tolerances, waitAfter } from './rules.js';
import {
  type FailureRow,
  forgetFailures,
  lockFailures,
  notLocked,
  type Subject,
  saveFailures,
  takeFailureBack,
} from './sign-in-failures-queries.js';

const dayMs = 86_400_000;

/** The result of a password attempt. `locked`: the password was not checked. */
export type Tried<Right> =
  | Right
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly seconds: number };

/** The blind indexes that a password attempt is counted by. */
export interface Trying {
  readonly pair: Subject;
  readonly account: Subject;
  readonly source: Subject;
  /** Whether the account was signed in to from this source lately: what happens elsewhere does not count there. */
  readonly isKnownSource: boolean;
}

/** Returns what a try at an account, whether it exists or not, is counted by. */
export async function tryingOf(
  db: Database,
  service: Service,
  email: string,
  address: Address | undefined,
): Promise<Trying> {
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
 * @returns The wait in seconds. 0: this password may be checked.
 */
export function takeTry(service: Service, trying: Trying): Promise<number> {
  return service.db.transaction().execute(async (trx) => {
    const held = await hold(trx, trying, service.now());
    // The time after waiting for the locks.
    const now = service.now();
    const leftMs = Math.max(...held.map(({ known }) => known.locked_until.getTime() - now.getTime()));
    // Refused attempts are not counted, so that a locked source cannot lock others.
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    for (const { subject, tolerance, known } of held) await saveFailures(trx, subject, afterTry(known, tolerance, now));
    return 0;
  });
}

/** Rows are locked in one order: the pair, the account, the source. */
async function hold(trx: Transaction, { pair, account, source, isKnownSource }: Trying, now: Date) {
  const counted = [
    { subject: pair, tolerance: tolerances.pair },
    ...(isKnownSource ? [] : [{ subject: account, tolerance: tolerances.account }]),
    { subject: source, tolerance: tolerances.source },
  ];
  const held = [];
  for (const each of counted) held.push({ ...each, known: await lockFailures(trx, each.subject, now) });
  return held;
}

function afterTry({ failures, last_at }: FailureRow, tolerance: Tolerance, now: Date): FailureRow {
  const isForgotten = now.getTime() - last_at.getTime() > forgottenAfterHours * 3_600_000;
  const count = (isForgotten ? 0 : failures) + 1;
  const wait = waitAfter(count, tolerance);
  const until = wait === 0 ? notLocked : new Date(now.getTime() + wait * 1000);
  return { failures: count, last_at: now, locked_until: until };
}

/**
 * The password was right: the account's tries from this source are forgotten, and of all others this one. Those from
 * elsewhere stay, or each sign-in would give strangers as many guesses again.
 */
export async function forgetTries(db: Database, { pair, account, source, isKnownSource }: Trying): Promise<void> {
  await forgetFailures(db, pair);
  if (!isKnownSource) await takeFailureBack(db, account);
  await takeFailureBack(db, source);
}

/** A new password was set by a link: what was tried before, from wherever, is forgotten. */
export async function forgetTriesOfAccount(db: Database, { pair, account }: Trying): Promise<void> {
  await forgetFailures(db, pair);
  await forgetFailures(db, account);
}
