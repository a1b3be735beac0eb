import type { ClaimedEvaluation, EvaluateRequest } from 'whorl/wire';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs, hourMs } from '../../ground/time.js';
import { lookUpIdentity } from '../../recognition/linking/recognise.js';
import { readProof, spendProof } from '../../recognition/proof/proof.js';
import { challengeUrlOf } from '../../resources/challenges/link.js';
import { challenges } from '../../resources/devices/rules/device.js';
import { readFingerprint } from '../../resources/devices/rules/fingerprint-text.js';
import {
  type Caller,
  type Database,
  inTransaction,
  type Service,
  withoutTransaction,
} from '../../resources/service.js';
import { markSharedAddress, normaliseRequest, ownNetwork, requestToSeal } from '../normalised-request.js';
import { judge } from '../rules/judge.js';
import { signEvaluationToken } from '../tokens.js';
import { claimIndexes, sealClaim } from './content.js';
import { gatherClaimFacts } from './facts.js';
import { findSameChallenge, insertClaim, type SameChallenge } from './queries.js';
import { consumeClaimQuota } from './quotas.js';

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
  const answer = await inTransaction(service, caller, async (scope) => {
    const { db } = scope;
    const read = normaliseRequest(service, request, request.user, await spendProof(db, caller, proof));
    const normalised = await markSharedAddress(db, service, read);
    const fingerprint = readFingerprint(request.fingerprint);
    const lookup = await lookUpIdentity(scope, {
      fingerprint,
      last: request.last_fingerprint,
      key: normalised.proof.thumbprint,
      user: request.user,
      isUserClaimed: true,
    });
    const { facts, state } = await gatherClaimFacts(scope, { normalised, lookup });
    const { verdict, observedVerdict, findings } = judge(facts);
    const same: SameChallenge = {
      worldId: caller.worldId,
      externalUser: request.user,
      identityId: lookup.identityId,
      action: request.action,
      network: ownNetwork(normalised),
      keyThumbprint: normalised.proof.thumbprint,
    };
    const now = service.now();
    const hasFailed = normalised.outcome === 'failed';
    const challenge = challenges(verdict) && !hasFailed ? await challengeOf(db, service, same) : undefined;
    const id = service.newId();
    const content = sealClaim(service, {
      request: {
        ...requestToSeal(normalised),
        ...(hasFailed ? { outcome: 'failed' } : { user: request.user }),
        action: request.action,
        ...(normalised.address && { ip: normalised.address.ip }),
      },
      ...(normalised.address?.isShared && { is_address_shared: true }),
      verdict,
      ...(observedVerdict && { observed_verdict: observedVerdict }),
      findings: [...findings],
      fingerprint_id: lookup.identityId,
      confidence: lookup.confidence,
      matched_by: lookup.matchedBy,
      changed: lookup.changed,
      ...(normalised.proof.outcome && { proof: normalised.proof.outcome }),
      ...(normalised.proof.thumbprint && { key_thumbprint: normalised.proof.thumbprint }),
      user_id: state.user_id ?? service.newId(),
      revocations: state.revocations ?? 0,
      expires_at: new Date(now.getTime() + caller.settings.challenge_lifetime_hours * hourMs).toISOString(),
    });
    await insertClaim(db, {
      world_id: caller.worldId,
      id,
      content,
      user_index: claimIndexes(service, caller.worldId, request.user)[0],
      challenge_id: challenge?.id ?? null,
      same_challenge: challenge?.hash ?? null,
    });
    return { evaluation_id: id, verdict, fingerprint_id: lookup.identityId, challengeId: challenge?.id };
  });
  const { challengeId, ...shown } = answer;
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
