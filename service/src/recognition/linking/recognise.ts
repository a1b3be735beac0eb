import { hash } from 'node:crypto';
import type { MatchedBy } from 'whorl/wire';
import { dayMs, minuteMs } from '../../ground/time.js';
import {
  type FingerprintText,
  type MissingFingerprint,
  missingFingerprint,
  readFingerprint,
} from '../../resources/devices/rules/fingerprint-text.js';
import type { Caller, Database, Service, UnitOfWork } from '../../resources/service.js';
import { cachedCensus, readCensus } from './census.js';
import { mergeSplit } from './merge-split.js';
import { findCandidates } from './queries/candidates.js';
import {
  type FoundVariant,
  type FoundVariants,
  findVariantOf,
  findVariants,
  type KnownVariant,
  touchVariant,
} from './queries/recognition.js';
import { insertVariant, makeRoom, supersede } from './queries/variants.js';
import { asNew, type Candidate, type Choice, chooseIdentity } from './rules/choose.js';
import { exactConfidence } from './rules/exact.js';
import { groupKeys, noKeys } from './rules/group-keys.js';
import { newIdentityId } from './rules/identity-id.js';

/** Identity of a fingerprint, and how it was found. */
export interface Lookup {
  readonly identityId: string;
  /** Undefined if the fingerprint is not stored. */
  readonly variantId: string | undefined;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
  readonly fingerprint: FingerprintText | MissingFingerprint;
}

/** Identity of a fingerprint that is stored. */
export interface Recognition extends Lookup {
  readonly variantId: string;
  /** Whether two identities were merged. */
  readonly hasMerged?: boolean;
}

/** Fingerprint to recognise, and what is known about it. */
export interface RecognitionInput {
  readonly fingerprint: FingerprintText;
  /** Result of an earlier look-up of exactly this fingerprint, if there was one. */
  readonly found?: Omit<FoundVariants, 'lastKnown'> | undefined;
  readonly last?: string | undefined;
  /** Customer's ID of the user whose devices are compared first. */
  readonly user?: string | undefined;
  /** Whether only fingerprints that the user's devices had before count, because the user is only named by a page. */
  readonly isUserClaimed?: boolean | undefined;
  /** Thumbprint of the proven key. */
  readonly key?: string | undefined;
}

/** Digest under which a fingerprint is stored, and whether it already is. */
interface StoredFingerprint {
  readonly digest: Uint8Array;
  readonly isKnown: boolean;
}

/** Variants seen within this time are not deleted to make room. */
const recentMs = 10 * minuteMs;
/** Maximum number of variants per identity. */
const maxVariants = 200;

/**
 * Finds the identity of a fingerprint, or creates one. Looks it up by the proven key, among the user's own devices, by
 * exactly the same fingerprint, by the saved one, and by groups of facets. Recognition does not imply trust.
 */
export async function recognise(work: UnitOfWork, input: RecognitionInput): Promise<Recognition> {
  const { db, caller } = work;
  const { fingerprint, user } = input;
  if (!fingerprint.isReadable) {
    return add(work, fingerprint, { digest: digestOf(work.newId()), isKnown: false }, asNew);
  }
  const { digest, known, lastKnown, isDecided } = await findKnown(db, caller, input);
  if (known && isDecided) {
    const recognition = await recogniseKnown(work, known, fingerprint);
    const split = lastKnown && { known, last: lastKnown, user };
    const scales = { now: work.now(), census: cachedCensus(work, caller.worldId) };
    const identityId = split && (await mergeSplit(db, caller, split, scales));
    return identityId === undefined ? recognition : { ...recognition, identityId, hasMerged: true };
  }
  const choice = await choose(work, input, { digest, lastKnown });
  const { identityId, matchedBy } = choice;
  const equal =
    identityId !== undefined && matchedBy === 'exact'
      ? await findVariantOf(db, caller.worldId, identityId, digest)
      : undefined;
  if (equal) return recogniseKnown(work, equal, fingerprint);
  return add(work, fingerprint, { digest, isKnown: known !== undefined }, choice);
}

/** Returns a new identity, which is not stored, for a request without a fingerprint. */
export function identityOfMissing(work: UnitOfWork<Database>): Lookup {
  return { ...asNew, identityId: work.newId(), variantId: undefined, fingerprint: missingFingerprint };
}

/**
 * Finds the identity of a fingerprint as `recognise` does, but stores nothing. For requests with a publishable key, and
 * for failed attempts.
 */
export async function lookUpIdentity(work: UnitOfWork<Database>, input: RecognitionInput): Promise<Lookup> {
  const { db, caller } = work;
  const { fingerprint } = input;
  if (!fingerprint.isReadable) {
    return { ...asNew, identityId: work.newId(), variantId: undefined, fingerprint };
  }
  const { digest, known, lastKnown, isDecided } = await findKnown(db, caller, input);
  if (known && isDecided) return exactMatch(work, caller, known, fingerprint);
  const choice = await choose(work, input, { digest, lastKnown });
  const identityId = choice.identityId ?? newIdentity(work, { digest, isKnown: known !== undefined });
  return { ...choice, identityId, variantId: undefined, fingerprint };
}

/**
 * Looks up the fingerprint and the saved one. The result is decided, without comparing others, unless it is of a
 * look-alike's device: only of other users, or not of the proven key. Other formats are only matched exactly.
 */
async function findKnown(db: Database, { worldId }: Caller, input: RecognitionInput) {
  const { fingerprint, last, user, key, found, isUserClaimed = false } = input;
  const { text } = fingerprint;
  const digest = digestOf(text);
  const lastDigest = last && last !== text && readFingerprint(last).isReadable ? digestOf(last) : null;
  const looked =
    found && !lastDigest
      ? { ...found, lastKnown: undefined }
      : await findVariants(db, {
          worldId,
          digest,
          lastDigest,
          externalId: user ?? null,
          keyThumbprint: key ?? null,
        });
  const { known, keyIdentityId } = looked;
  const isOfUser = user === undefined || isUserClaimed || known?.isOwn || !known?.hasUsers;
  const isOfKey = keyIdentityId === undefined || keyIdentityId === known?.identityId;
  return { ...looked, digest, isDecided: !fingerprint.parsed || (isOfUser && isOfKey) };
}

async function choose(
  work: UnitOfWork<Database>,
  { fingerprint, user, isUserClaimed, key }: RecognitionInput,
  { digest, lastKnown }: { readonly digest: Uint8Array; readonly lastKnown: FoundVariant | undefined },
): Promise<Choice> {
  const {
    db,
    caller: { worldId },
  } = work;
  const { hardwareKey: hardware, parsed, text } = fingerprint;
  if (!parsed) return asNew;
  const compared = isUserClaimed ? undefined : user;
  const similar = await findCandidates(db, worldId, { digest, user: compared, key, hardware, keys: groupKeys(parsed) });
  const candidates: Candidate[] = [...(lastKnown ? [{ ...lastKnown, from: 'last' as const }] : []), ...similar];
  if (candidates.length === 0) return asNew;
  const census = await readCensus(work, worldId);
  return chooseIdentity(text, candidates, { now: work.now(), census });
}

async function recogniseKnown(
  work: UnitOfWork,
  known: KnownVariant,
  fingerprint: FingerprintText,
): Promise<Recognition> {
  const { db, caller } = work;
  const now = work.now();
  if (now.getTime() - known.lastSeenAt.getTime() > dayMs) {
    await touchVariant(db, caller.worldId, known.variantId, now);
  }
  return exactMatch(work, caller, known, fingerprint);
}

/**
 * Adds a fingerprint to the chosen identity. If that identity has no room, it is left unchanged and a new one is
 * created.
 */
async function add(
  work: UnitOfWork,
  fingerprint: FingerprintText,
  stored: StoredFingerprint,
  choice: Choice,
): Promise<Recognition> {
  const { db, caller } = work;
  const at = work.now();
  const before = new Date(at.getTime() - recentMs);
  const { worldId } = caller;
  const { identityId: chosen } = choice;
  if (chosen !== undefined && !(await makeRoom(db, worldId, { identityId: chosen, maxVariants, before }))) {
    return add(work, fingerprint, stored, asNew);
  }
  const variant = {
    id: work.newId(),
    worldId,
    identityId: chosen ?? newIdentity(work, stored),
    isNewIdentity: chosen === undefined,
    spareIdentityId: work.newId(),
    digest: stored.digest,
    fingerprint: fingerprint.text,
    // Unreadable fingerprints are never candidates.
    hardwareKey: fingerprint.isReadable ? fingerprint.hardwareKey : undefined,
    keys: fingerprint.isReadable && fingerprint.parsed ? groupKeys(fingerprint.parsed) : noKeys,
    at,
  };
  const identityId = await insertVariant(db, variant);
  if (identityId === undefined) {
    const known = await findVariantOf(db, worldId, variant.identityId, stored.digest);
    if (!known) throw new Error('A stored fingerprint disappeared during recognition.');
    return exactMatch(work, caller, known, fingerprint);
  }
  if (!variant.isNewIdentity) await supersede(db, variant);
  const { matchedBy, confidence, changed } = choice;
  return { identityId, variantId: variant.id, matchedBy, confidence, changed, fingerprint };
}

/** Returns an exact match, using cached frequencies so that no further query is needed. */
function exactMatch(
  service: Service,
  { worldId }: Caller,
  { identityId, variantId, lastSeenAt }: KnownVariant,
  fingerprint: FingerprintText,
): Recognition {
  const scales = { now: service.now(), census: cachedCensus(service, worldId) };
  const confidence = exactConfidence(fingerprint, lastSeenAt, scales);
  return { identityId, variantId, matchedBy: 'exact', confidence, changed: [], fingerprint };
}

/** Returns the identity that a fingerprint has if nothing else is known about it. One that is unreadable has a new one. */
export function unstoredIdentityId(service: Service, caller: Caller, { isReadable, text }: FingerprintText): string {
  return isReadable ? newIdentityIdIn(caller, digestOf(text)) : service.newId();
}

/** Returns the ID of a new identity. That of the fingerprint itself belongs to a look-alike if the fingerprint is known. */
function newIdentity(work: UnitOfWork<Database>, { digest, isKnown }: StoredFingerprint): string {
  return isKnown ? work.newId() : newIdentityIdIn(work.caller, digest);
}

function newIdentityIdIn({ worldId, project }: Caller, digest: Uint8Array): string {
  return newIdentityId({ worldId, createdAt: project.createdAt }, digest);
}

/** Returns the digest under which a fingerprint is stored. */
export function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
