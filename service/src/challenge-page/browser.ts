import type { AddressBook } from '../addresses/address-book.js';
import type { Address } from '../addresses/addresses.js';
import { readAddress } from '../addresses/addresses.js';
import { findBeginner } from '../challenges/attempt.js';
import type { Service } from '../service.js';
import { compareBrowsers, judgeBrowser } from './browser-rules.js';
import type { Visit } from './visit.js';
import { changeVisit } from './visits-queries.js';

/** Longest fingerprint that is compared. The package's have under 110 characters. */
const maxFingerprintLength = 200;

/**
 * Compares the visitor's browser with the one that began the challenge, once in each visit. Without a script, there is
 * no fingerprint to compare.
 */
export async function checkBrowser(
  service: Service,
  visit: Visit,
  { fingerprint, address }: { readonly fingerprint: string; readonly address: Address | undefined },
): Promise<void> {
  const { row, caller } = visit;
  if (row.browser !== null) return;
  const beginner = await findBeginner(service, caller, row.challenge_id);
  const began = beginner?.ip === undefined ? undefined : readAddress(beginner.ip);
  const browser = judgeBrowser({
    isSameBrowser: beginner && compareBrowsers(beginner.fingerprint, fingerprint.slice(0, maxFingerprintLength)),
    isSamePlace: began && address && isSamePlace(service.addresses, began, address),
  });
  await changeVisit(service.db, row, { browser });
}

/** Records that the visitor confirmed that the attempt is theirs. */
export async function confirmBrowser({ db }: Service, { row }: Visit): Promise<void> {
  if (row.browser === 'ask') await changeVisit(db, row, { browser: 'confirmed' });
}

/** Returns whether a code can be requested and entered in this visit. */
export function isBound({ row: { browser } }: Visit): boolean {
  return browser === 'same' || browser === 'confirmed';
}

/**
 * Returns whether two addresses are in one network. Undefined if that is not known, or if one is of a relay, which may
 * use another operator for each site.
 */
function isSamePlace(book: AddressBook, a: Address, b: Address): boolean | undefined {
  if (a.network === b.network) return true;
  const [first, second] = [book.lookUp(a.ip), book.lookUp(b.ip)];
  if (first?.asn === undefined || second?.asn === undefined) return undefined;
  if (first.asn === second.asn) return true;
  return first.kind === 'relay' || second.kind === 'relay' ? undefined : false;
}
