import type { Evaluation } from 'whorl/wire';
import type { Scope } from '../resources/service.js';
import { failureAddress, failureFindings, failureToSeal, mayStoreFailure } from './failure-storage.js';
import type { Effects, Judged } from './judged.js';
import { nameIndexes, requestToSeal, type SealedRequest } from './normalised-request.js';
import { countOnly, insertEvaluation, type NewEvaluation } from './queries/evaluations.js';
import { percentOf } from './rules/risk/contribution.js';
import { countStrangeFailure, countsOf } from './velocity.js';

/** Consumed claim. The evaluation keeps its ID and time. */
export interface ConsumedClaim {
  readonly id: string;
  readonly createdAt: Date;
  readonly consumedAt: Date;
  readonly request: SealedRequest;
}

/**
 * Records an evaluation, and returns it in the form for the secret key. A failed attempt is stored in a short form while
 * its quota lasts; it is counted in any case.
 */
export async function recordEvaluation(
  scope: Scope,
  { normalised, recognition, gathered, judgement }: Judged,
  { userId, deviceId, challengeId }: Effects,
  claim?: ConsumedClaim,
): Promise<Evaluation> {
  const { db, caller } = scope;
  const id = claim?.id ?? scope.newId();
  const hasFailed = normalised.outcome === 'failed';
  const sent = claim?.request ?? requestToSeal(normalised);
  const request = hasFailed ? failureToSeal(sent) : sent;
  const { metadata } = request;
  const address = normalised.address?.info;
  const { verdict, observedVerdict, alternativeVerdict, findings, risk } = judgement;
  const reasons = findings.map(({ reason }) => reason);
  // What was entered as the user's name may be anything, such as a password.
  const isUnknownName = hasFailed && userId === undefined;
  const storedRisk = hasFailed ? undefined : risk;
  const counts = countsOf(scope, gathered);
  const row: NewEvaluation = {
    id,
    world_id: caller.worldId,
    user_id: userId ?? null,
    external_user: isUnknownName ? null : normalised.externalId,
    user_index: isUnknownName ? nameIndexes(scope, caller.worldId, normalised.externalId)[0] : null,
    device_id: deviceId ?? null,
    identity_id: recognition.identityId,
    variant_id: recognition.variantId ?? null,
    action: normalised.request.action,
    outcome: normalised.outcome,
    verdict,
    observed_verdict: observedVerdict ?? null,
    alternative_verdict: alternativeVerdict ?? null,
    risk: storedRisk ? JSON.stringify(storedRisk) : null,
    risk_score: storedRisk ? percentOf(storedRisk.bits) : null,
    reasons: JSON.stringify(reasons),
    findings: JSON.stringify(hasFailed ? failureFindings(findings) : findings),
    request: scope.vault.seal(JSON.stringify(request), 'evaluation.request'),
    ip: normalised.address?.ip ?? null,
    network: normalised.address?.network ?? null,
    address: address ? JSON.stringify(hasFailed ? failureAddress(address) : address) : null,
    confidence: recognition.confidence,
    matched_by: recognition.matchedBy,
    changed: JSON.stringify(hasFailed ? [] : recognition.changed),
    challenge_id: challengeId ?? null,
    accepted: verdict === 'allow' && normalised.outcome === 'succeeded',
    claimed: claim !== undefined,
    proof: normalised.proof.outcome ?? null,
    key_thumbprint: normalised.proof.thumbprint ?? null,
    referrer_mark:
      typeof metadata?.referrer === 'string' ? scope.vault.blindIndex(metadata.referrer, 'evaluation.referrer') : null,
    created_at: claim?.createdAt ?? scope.now(),
    consumed_at: claim?.consumedAt ?? null,
  };
  // The last statements of the transaction, because other users' evaluations wait for the same counts.
  const isStored = !hasFailed || (await mayStoreFailure(scope, normalised));
  await (isStored ? insertEvaluation(db, { ...row, ...counts }) : countOnly(db, counts));
  await countStrangeFailure(scope, gathered);
  return {
    verdict,
    fingerprint_id: recognition.identityId,
    reasons,
    evaluation_id: id,
    confidence: recognition.confidence,
    matched_by: recognition.matchedBy,
    changed: [...recognition.changed],
    ...(challengeId === undefined ? {} : { challenge_id: challengeId }),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(observedVerdict === undefined ? {} : { observed_verdict: observedVerdict }),
    ...(alternativeVerdict === undefined ? {} : { alternative_verdict: alternativeVerdict }),
    ...(risk && { risk }),
    ...(address && { address }),
  };
}
