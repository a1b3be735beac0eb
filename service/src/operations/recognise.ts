import { createHash } from 'node:crypto';
import type { MatchedBy } from 'whorl/wire';
import { type Candidate, type Choice, chooseIdentity } from '../domain/linking/choose.js';
import { exactConfidence } from '../domain/linking/exact.js';
import { type FingerprintText, readFingerprint } from '../domain/linking/fingerprint-text.js';
import { groupKeys, noKeys } from '../domain/linking/group-keys.js';
import type { Caller, Service, Transaction } from '../service.js';
import { findCandidates } from '../store/queries/candidates.js';
import { findVariants, type KnownVariant, touchVariant } from '../store/queries/recognition.js';
import { insertVariant, makeRoom, supersede } from '../store/queries/variants.js';
import { knownCensus, readCensus } from './linking/census.js';
import { mergeSplit } from './linking/merge-split.js';

/** A fingerprint, recognised: the identity it belongs to, and how that is known. */
export interface Recognition {
  readonly identityId: string;
  readonly variantId: string;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
  readonly fingerprint: FingerprintText;
  /** Whether two identities were made one on the way. */
  readonly hasMerged?: boolean;
}

interface Question {
  readonly fingerprint: FingerprintText;
  /** What has the very fingerprint on record, where that was looked up before. */
  readonly found?: { readonly known: KnownVariant | undefined } | undefined;
  readonly last?: string | undefined;
  /** The customer's identifier of the user whose devices are looked at too. */
  readonly user?: string | undefined;
}

const dayMs = 86_400_000;
/** Longer than a claim can be consumed: what was seen since makes no room for others. */
const settledMs = 10 * 60_000;
/** So many variants an identity keeps. Claims find it full earlier, and leave room for what the secret key says. */
const mostVariants = { secret: 200, publishable: 50 };

const asNew: Choice = { identityId: undefined, matchedBy: 'new', confidence: 1, changed: [] };

/**
 * Finds the identity of a fingerprint, or makes one: exact first, then by the last fingerprint, then by facets among
 * the user's own devices and those of the project that share a group of facets. Recognising is not trusting.
 */
export async function recognise(
  db: Transaction,
  service: Service,
  caller: Caller,
  { fingerprint, found, last, user }: Question,
): Promise<Recognition> {
  const { text, isReadable } = fingerprint;
  if (!isReadable) return add(db, service, caller, fingerprint, digestOf(service.newId()), asNew);
  const digest = digestOf(text);
  const lastDigest = last && last !== text && readFingerprint(last).isReadable ? digestOf(last) : undefined;
  const { known, lastKnown } = await findBoth(db, caller.worldId, digest, lastDigest, found);
  if (known) {
    const recognition = await recogniseKnown(db, service, caller, known, fingerprint);
    const split = lastKnown && { known, last: lastKnown, user };
    const scales = { now: service.now(), census: knownCensus(service, caller.worldId) };
    const identityId = split && (await mergeSplit(db, caller, split, scales));
    return identityId === undefined ? recognition : { ...recognition, identityId, hasMerged: true };
  }
  if (!fingerprint.parsed) return add(db, service, caller, fingerprint, digest, asNew);
  const { hardwareKey: hardware, parsed } = fingerprint;
  const alike = await findCandidates(db, caller.worldId, { user, hardware, keys: groupKeys(parsed) });
  const candidates: Candidate[] = [...(lastKnown ? [{ ...lastKnown, from: 'last' as const }] : []), ...alike];
  if (candidates.length === 0) return add(db, service, caller, fingerprint, digest, asNew);
  const census = await readCensus(db, service, caller.worldId);
  const choice = chooseIdentity(text, candidates, { now: service.now(), census });
  return add(db, service, caller, fingerprint, digest, choice);
}

async function findBoth(
  db: Transaction,
  worldId: string,
  digest: Uint8Array,
  lastDigest: Uint8Array | undefined,
  found: Question['found'],
) {
  if (!found) {
    const [known, lastKnown] = await findVariants(db, worldId, digest, lastDigest);
    return { known, lastKnown };
  }
  const [lastKnown] = lastDigest ? await findVariants(db, worldId, lastDigest) : [];
  return { known: found.known, lastKnown };
}

async function recogniseKnown(
  db: Transaction,
  service: Service,
  caller: Caller,
  known: KnownVariant,
  fingerprint: FingerprintText,
): Promise<Recognition> {
  const now = service.now();
  const isClaim = caller.kind === 'publishable';
  const isOld = now.getTime() - known.lastSeenAt.getTime() > dayMs;
  if (isOld || (known.claimed && !isClaim)) await touchVariant(db, known.variantId, now, isClaim);
  return exactly(service, caller, known, fingerprint);
}

/** Adds a fingerprint to the identity that was chosen. One that has no room for it is not changed: it is a new one then. */
async function add(
  db: Transaction,
  service: Service,
  caller: Caller,
  fingerprint: FingerprintText,
  digest: Uint8Array,
  choice: Choice,
): Promise<Recognition> {
  const at = service.now();
  const before = new Date(at.getTime() - settledMs);
  const { identityId: chosen } = choice;
  if (chosen !== undefined && !(await makeRoom(db, { identityId: chosen, most: mostVariants[caller.kind], before }))) {
    return add(db, service, caller, fingerprint, digest, asNew);
  }
  const variant = {
    id: service.newId(),
    worldId: caller.worldId,
    identityId: chosen ?? service.newId(),
    isNewIdentity: chosen === undefined,
    digest,
    fingerprint: fingerprint.text,
    // What is unreadable is nobody's candidate.
    hardwareKey: fingerprint.isReadable ? fingerprint.hardwareKey : undefined,
    keys: fingerprint.isReadable && fingerprint.parsed ? groupKeys(fingerprint.parsed) : noKeys,
    claimed: caller.kind === 'publishable',
    at,
  };
  if (!(await insertVariant(db, variant))) {
    const [known] = await findVariants(db, caller.worldId, digest);
    if (!known) throw new Error('A fingerprint that was there is gone.');
    return exactly(service, caller, known, fingerprint);
  }
  if (!variant.isNewIdentity && !variant.claimed) await supersede(db, variant);
  const { matchedBy, confidence, changed } = choice;
  return { identityId: variant.identityId, variantId: variant.id, matchedBy, confidence, changed, fingerprint };
}

/** Without a statement more: with the frequencies that this process happens to know. */
function exactly(
  service: Service,
  { worldId }: Caller,
  { identityId, variantId, lastSeenAt }: KnownVariant,
  fingerprint: FingerprintText,
): Recognition {
  const scales = { now: service.now(), census: knownCensus(service, worldId) };
  const confidence = exactConfidence(fingerprint, lastSeenAt, scales);
  return { identityId, variantId, matchedBy: 'exact', confidence, changed: [], fingerprint };
}

/** What a fingerprint is found by. */
export function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
