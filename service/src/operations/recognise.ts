import { createHash } from 'node:crypto';
import type { MatchedBy } from 'whorl/wire';
import { type Candidate, chooseIdentity } from '../domain/linking/choose.js';
import { type FingerprintText, readFingerprint } from '../domain/linking/fingerprint-text.js';
import type { Caller, Database, Service } from '../service.js';
import {
  findCandidatesByHardware,
  findOwnCandidates,
  findVariants,
  insertVariant,
  type KnownVariant,
  touchVariant,
} from '../store/queries/recognition.js';

/** A fingerprint, recognised: the identity it belongs to, and how that is known. */
export interface Recognition {
  readonly identityId: string;
  readonly variantId: string;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
  readonly fingerprint: FingerprintText;
}

interface Question {
  readonly fingerprint: string;
  readonly last?: string | undefined;
  /** The customer's identifier of the user whose devices are looked at too. */
  readonly user?: string | undefined;
}

const dayMs = 86_400_000;

/**
 * Finds the identity of a fingerprint, or makes one: exact first, then by the last fingerprint, then by facets among
 * the user's own devices and those of the same hardware. Recognising is not trusting.
 */
export async function recognise(
  db: Database,
  service: Service,
  caller: Caller,
  { fingerprint: text, last, user }: Question,
): Promise<Recognition> {
  const fingerprint = readFingerprint(text);
  const isClaim = caller.kind === 'publishable';
  const now = service.now();
  if (!fingerprint.isReadable) return add(db, service, caller, fingerprint, digestOf(service.newId()));
  const digest = digestOf(text);
  const lastDigest = last && last !== text && readFingerprint(last).isReadable ? digestOf(last) : undefined;
  const [known, lastKnown] = await findVariants(db, caller.worldId, digest, lastDigest);
  if (known) {
    const isOld = now.getTime() - known.lastSeenAt.getTime() > dayMs;
    if (isOld || (known.claimed && !isClaim)) await touchVariant(db, known.variantId, now, isClaim);
    return exactly(known, fingerprint);
  }
  if (!fingerprint.parsed) return add(db, service, caller, fingerprint, digest);
  const candidates = await findCandidates(db, caller.worldId, fingerprint, lastKnown, user);
  const choice = chooseIdentity(text, candidates, now);
  return add(db, service, caller, fingerprint, digest, choice);
}

async function findCandidates(
  db: Database,
  worldId: string,
  fingerprint: FingerprintText,
  lastKnown: KnownVariant | undefined,
  user: string | undefined,
): Promise<Candidate[]> {
  const fromLast: Candidate[] =
    lastKnown && readFingerprint(lastKnown.fingerprint).parsed ? [{ ...lastKnown, from: 'last' }] : [];
  const own = user === undefined ? [] : await findOwnCandidates(db, worldId, user);
  const alike = fingerprint.hardwareKey ? await findCandidatesByHardware(db, worldId, fingerprint.hardwareKey) : [];
  return [...fromLast, ...own.filter(isOurs), ...alike];
}

function isOurs({ fingerprint }: Candidate): boolean {
  return readFingerprint(fingerprint).parsed !== undefined;
}

async function add(
  db: Database,
  service: Service,
  caller: Caller,
  fingerprint: FingerprintText,
  digest: Uint8Array,
  choice?: { identityId: string; matchedBy: MatchedBy; confidence: number; changed: readonly string[] },
): Promise<Recognition> {
  const at = service.now();
  const variantId = service.newId();
  const identityId = choice?.identityId ?? service.newId();
  const isAdded = await insertVariant(db, {
    id: variantId,
    worldId: caller.worldId,
    identityId,
    isNewIdentity: !choice,
    digest,
    fingerprint: fingerprint.text,
    hardwareKey: fingerprint.hardwareKey,
    claimed: caller.kind === 'publishable',
    at,
  });
  if (!isAdded) {
    const [known] = await findVariants(db, caller.worldId, digest);
    if (!known) throw new Error('A fingerprint that was there is gone.');
    return exactly(known, fingerprint);
  }
  const { matchedBy = 'new', confidence = 1, changed = [] } = choice ?? {};
  return { identityId, variantId, matchedBy, confidence, changed, fingerprint };
}

function exactly({ identityId, variantId }: KnownVariant, fingerprint: FingerprintText): Recognition {
  return { identityId, variantId, matchedBy: 'exact', confidence: 1, changed: [], fingerprint };
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
