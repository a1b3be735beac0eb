import type { ClaimedEvaluation, EvaluateRequest } from 'whorl/wire';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs, hourMs } from '../../ground/time.js';
import { type Lookup, lookUpIdentity } from '../../recognition/linking/recognise.js';
import { type ReadProof, readProof, spendProof } from '../../recognition/proof/proof.js';
import { challengeUrlOf } from '../../resources/challenges/link.js';
import { challenges } from '../../resources/devices/rules/device.js';
import { readFingerprint } from '../../resources/devices/rules/fingerprint-text.js';
import {
  type Caller,
  type Database,
  inTransaction,
  type Service,
  type UnitOfWork,
  withoutTransaction,
} from '../../resources/service.js';
import {
  markSharedAddress,
  type NormalisedRequest,
  normaliseRequest,
  ownNetwork,
  requestToSeal,
} from '../normalised-request.js';
import { type Judgement, judge } from '../rules/judge.js';
import { signEvaluationToken } from '../tokens.js';
import { gatherClaimFacts } from './claim-facts.js';
import { type ClaimContent, claimIndexes, sealClaim } from './content.js';
import { findSameChallenge, insertClaim, type SameChallenge } from './queries.js';
import { consumeClaimQuota } from './quotas.js';
import type { ClaimState } from './state-queries.js';

/** Retention of a claim that is not consumed. */
export const claimLifetimeMs = dayMs;

/** Request of a page, which always has a fingerprint. */
export type PageRequest = EvaluateRequest & { readonly fingerprint: string };

/**
 * Evaluates an action for a page, with a publishable key, and stores the result as a claim. A claim changes nothing
 * about the user that it names, does not wait for that user's lock, and returns the same result whether or not the user
 * exists.
 *
 * @throws {ApiError} `rate_limited`, `too_large`
 */
export async function claimEvaluation(
  service: Service,
  caller: Caller,
  request: PageRequest,
): Promise<ClaimedEvaluation> {
  await consumeClaimQuota(withoutTransaction(service, caller), 'evaluations', request.ip);
  const proof = await readProof(service, caller, request);
  const { challengeId, ...shown } = await inTransaction(service, caller, async (work) =>
    storeClaim(work, await judgeClaim(work, request, proof)),
  );
  const { user, action, outcome } = request;
  return {
    ...shown,
    ...(challengeId === undefined ? {} : { challenge_id: challengeId }),
    ...challengeUrlOf(service, caller, challengeId),
    token: await signEvaluationToken(service, caller, {
      ...shown,
      user,
      action,
      ...(outcome === 'failed' && { outcome }),
    }),
  };
}

interface JudgedClaim {
  readonly normalised: NormalisedRequest;
  readonly lookup: Lookup;
  readonly state: ClaimState;
  readonly judgement: Judgement;
}

/** Recognises the fingerprint of a page's request, gathers the facts and judges them. */
async function judgeClaim(work: UnitOfWork, request: PageRequest, proof: ReadProof): Promise<JudgedClaim> {
  const { db, caller } = work;
  const read = normaliseRequest(work, request, request.user, await spendProof(db, caller, proof));
  const normalised = await markSharedAddress(db, work, read);
  const lookup = await lookUpIdentity(work, {
    fingerprint: readFingerprint(request.fingerprint),
    last: request.last_fingerprint,
    key: normalised.proof.thumbprint,
    user: request.user,
    isUserClaimed: true,
  });
  const { facts, state } = await gatherClaimFacts(work, { normalised, lookup });
  return { normalised, lookup, state, judgement: judge(facts) };
}

/** Stores a claim, and returns what the page is told. */
async function storeClaim(work: UnitOfWork, judged: JudgedClaim) {
  const { db, caller } = work;
  const { normalised, lookup, judgement } = judged;
  const { verdict } = judgement;
  const user = normalised.externalId;
  const isChallenged = challenges(verdict) && normalised.outcome !== 'failed';
  const challenge = isChallenged
    ? await challengeOf(db, work, {
        worldId: caller.worldId,
        externalUser: user,
        identityId: lookup.identityId,
        action: normalised.request.action,
        network: ownNetwork(normalised),
        keyThumbprint: normalised.proof.thumbprint,
      })
    : undefined;
  const id = work.newId();
  await insertClaim(db, {
    world_id: caller.worldId,
    id,
    content: sealClaim(work, contentOf(work, judged)),
    user_index: claimIndexes(work, caller.worldId, user)[0],
    challenge_id: challenge?.id ?? null,
    same_challenge: challenge?.hash ?? null,
  });
  return { evaluation_id: id, verdict, fingerprint_id: lookup.identityId, challengeId: challenge?.id };
}

function contentOf(work: UnitOfWork, { normalised, lookup, state, judgement }: JudgedClaim): ClaimContent {
  const { address, proof } = normalised;
  const { verdict, observedVerdict, findings, decisions } = judgement;
  const lifetimeMs = work.caller.settings.challenge_lifetime_hours * hourMs;
  return {
    request: {
      ...requestToSeal(normalised),
      ...(normalised.outcome === 'failed' ? { outcome: 'failed' } : { user: normalised.externalId }),
      action: normalised.request.action,
      ...(address && { ip: address.ip }),
    },
    ...(address?.isShared && { is_address_shared: true }),
    verdict,
    ...(observedVerdict && { observed_verdict: observedVerdict }),
    findings: [...findings],
    decisions,
    fingerprint_id: lookup.identityId,
    confidence: lookup.confidence,
    matched_by: lookup.matchedBy,
    changed: lookup.changed,
    ...(proof.outcome && { proof: proof.outcome }),
    ...(proof.thumbprint && { key_thumbprint: proof.thumbprint }),
    user_id: state.user_id ?? work.newId(),
    revocations: state.revocations ?? 0,
    expires_at: new Date(work.now().getTime() + lifetimeMs).toISOString(),
  };
}

/** Returns the open challenge that this one would repeat, or a new one. */
async function challengeOf(db: Database, service: Service, same: SameChallenge) {
  const now = service.now();
  const hash = hashOf(service, same);
  const since = firstIdAt(new Date(now.getTime() - claimLifetimeMs));
  const id = (await findSameChallenge(db, same, { hash, since, now })) ?? service.newId();
  return { id, hash };
}

/**
 * Returns 64 bits of a keyed hash, as a bigint for PostgreSQL. After the master secret is replaced, earlier claims no longer
 * match, so the page gets a new challenge.
 */
function hashOf(
  { vault }: Service,
  { externalUser, identityId, action, network, keyThumbprint }: SameChallenge,
): string {
  const text = JSON.stringify([externalUser, identityId, action, network, keyThumbprint]);
  return vault.blindIndex(text, 'claim.same_challenge').readBigInt64BE().toString();
}
