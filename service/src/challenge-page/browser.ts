import { type ChallengedBrowser, findChallengedBrowser } from '../challenges/attempt.js';
import { readProof } from '../recognition/proof/proof.js';
import type { AddressBook } from '../resources/addresses/address-book.js';
import type { Address } from '../resources/addresses/addresses.js';
import { readAddress } from '../resources/addresses/addresses.js';
import { changeVisit } from '../resources/challenges/visits-queries.js';
import type { Service } from '../resources/service.js';
import { compareBrowsers, judgeBrowser } from './browser-rules.js';
import type { Visit } from './visit.js';

/** Longest fingerprint that is compared. The package's have under 110 characters. */
const maxFingerprintLength = 200;

/** Longest proof that is read. The package's have under 700 characters. */
const maxProofLength = 2000;

/** What the page's script sends, and the visitor's address. */
interface VisitingBrowser {
  /** '' without a script. */
  readonly fingerprint: string;
  /** '' without a key. */
  readonly proof: string;
  readonly address: Address | undefined;
}

/** Compares the visitor's browser with the one that began the challenge, once in each visit. */
export async function checkBrowser(service: Service, visit: Visit, visiting: VisitingBrowser): Promise<void> {
  const { address } = visiting;
  const fingerprint = visiting.fingerprint.slice(0, maxFingerprintLength);
  const { row, caller } = visit;
  if (row.browser !== null) return;
  const challenged = await findChallengedBrowser(service, caller, row.challenge_id);
  const began = challenged?.ip === undefined ? undefined : readAddress(challenged.ip);
  const browser = judgeBrowser({
    isSameKey: challenged && (await isSameKey(service, visit, challenged, { ...visiting, fingerprint })),
    isSameBrowser: challenged && compareBrowsers(challenged.fingerprint, fingerprint),
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
 * Returns whether the visitor proved the key of the evaluation. Undefined if either has none, or if the key may belong
 * to another origin: browsers keep keys by origin. The visit and its CSRF token bind the proof, so its nonce is not spent.
 */
async function isSameKey(
  service: Service,
  { caller }: Visit,
  { keyThumbprint }: ChallengedBrowser,
  { fingerprint, proof }: VisitingBrowser,
): Promise<boolean | undefined> {
  if (keyThumbprint === undefined || proof === '' || proof.length > maxProofLength) return undefined;
  const { origin } = new URL(service.publicUrl);
  const { settings } = caller;
  const onThisPage = { ...caller, settings: { ...settings, allowed_origins: [origin] } };
  const { thumbprint } = await readProof(service, onThisPage, { proof, fingerprint });
  if (thumbprint === undefined) return undefined;
  if (thumbprint === keyThumbprint) return true;
  return settings.allowed_origins.every((allowed) => allowed === origin) ? false : undefined;
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
