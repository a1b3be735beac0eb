import type { Evaluation } from 'whorl/wire';
import { countEvaluation } from '../recognition/velocity/count.js';
import type { UnitOfWork } from '../resources/service.js';
import { countsOf, countUnfamiliarFailure } from './campaign-baseline.js';
import {
  failureAddress,
  failureDecisions,
  failureFindings,
  failureToSeal,
  mayStoreFailure,
} from './failure-storage.js';
import type { Effects, Judged } from './judged.js';
import { nameIndexes, requestToSeal, type SealedRequest, sealRequest } from './normalised-request.js';
import { insertEvaluation, type NewEvaluation } from './queries/evaluations.js';
import { insertReview } from './reviews/queries.js';
import { storedTags } from './rules/custom-rules.js';
import { decidedBy } from './rules/decision.js';
import { reviewCause } from './rules/review.js';
import { percentOf } from './rules/risk/contribution.js';
import { encodeRisk } from './rules/risk/stored-risk.js';
import { encodeBasis } from './rules/stored-basis.js';
import { decisionsBeside } from './rules/stored-decisions.js';

/** Consumed claim. The evaluation keeps its ID and time. */
export interface ConsumedClaim {
  readonly id: string;
  readonly createdAt: Date;
  readonly consumedAt: Date;
  readonly request: SealedRequest;
}

/** Evaluation to record. */
interface Recorded {
  readonly id: string;
  readonly judged: Judged;
  readonly effects: Effects;
  readonly claim: ConsumedClaim | undefined;
}

/**
 * Records an evaluation, and returns it in the form for the secret key. A failed attempt is stored in a short form while
 * its quota lasts; it is counted in any case.
 */
export async function recordEvaluation(
  work: UnitOfWork,
  judged: Judged,
  effects: Effects,
  claim?: ConsumedClaim,
): Promise<Evaluation> {
  const { db } = work;
  const { normalised, gathered } = judged;
  const recorded = { id: claim?.id ?? work.newId(), judged, effects, claim };
  const row = rowOf(work, recorded);
  await queueForReview(work, row, judged);
  const isStored = normalised.outcome !== 'failed' || (await mayStoreFailure(work, normalised));
  if (isStored) await insertEvaluation(db, row);
  // The last statement of the transaction, because other users' evaluations wait for the same row.
  await countUnfamiliarFailure(work, gathered);
  const counted = countsOf(work, gathered);
  work.afterCommit((service) => countEvaluation(service, work.caller.worldId, counted));
  return responseOf(recorded);
}

/** Adds the evaluation to the review queue if it waits for a person. */
async function queueForReview({ db }: UnitOfWork, row: NewEvaluation, { judgement, gathered }: Judged): Promise<void> {
  const cause = reviewCause(judgement, gathered.facts);
  if (cause === undefined) return;
  const { world_id, id: evaluation_id, user_id, verdict, risk_score, created_at } = row;
  await insertReview(db, { world_id, evaluation_id, user_id, cause, verdict, score: risk_score ?? 0, created_at });
}

function rowOf(work: UnitOfWork, { id, judged, effects, claim }: Recorded): NewEvaluation {
  const { normalised, recognition, judgement } = judged;
  const { worldId } = work.caller;
  const { externalId, outcome, address, proof } = normalised;
  const { userId, deviceId, challengeId } = effects;
  const { verdict, observedVerdict, alternativeVerdict, findings, basis } = judgement;
  const stored = storedParts(judged, claim?.request ?? requestToSeal(normalised));
  const { request, risk } = stored;
  const referrer = request.metadata?.referrer;
  // What was entered as the user's name may be anything, such as a password.
  const isUnknownName = outcome === 'failed' && userId === undefined;
  const reasons = findings.map(({ reason }) => reason);
  return {
    id,
    world_id: worldId,
    user_id: userId ?? null,
    external_user: isUnknownName ? null : externalId,
    user_index: isUnknownName ? nameIndexes(work, worldId, externalId)[0] : null,
    device_id: deviceId ?? null,
    identity_id: recognition.identityId,
    variant_id: recognition.variantId ?? null,
    action: normalised.request.action,
    outcome,
    verdict,
    observed_verdict: observedVerdict ?? null,
    alternative_verdict: alternativeVerdict ?? null,
    risk: risk ? encodeRisk(risk) : null,
    risk_score: risk ? percentOf(risk.bits) : null,
    reasons: JSON.stringify(reasons),
    findings: JSON.stringify(stored.findings),
    decisions: stored.decisions && JSON.stringify(stored.decisions),
    tags: storedTags(judgement.tags),
    rule_basis: basis ? encodeBasis(basis, { reasons, address: stored.address }) : null,
    request: sealRequest(work, request),
    ip: address?.ip ?? null,
    network: address?.network ?? null,
    address: stored.address ? JSON.stringify(stored.address) : null,
    confidence: recognition.confidence,
    matched_by: recognition.matchedBy,
    changed: JSON.stringify(stored.changed),
    challenge_id: challengeId ?? null,
    accepted: verdict === 'allow' && outcome === 'succeeded',
    claimed: claim !== undefined,
    proof: proof.outcome ?? null,
    key_thumbprint: proof.thumbprint ?? null,
    referrer_mark: typeof referrer === 'string' ? work.vault.blindIndex(referrer, 'evaluation.referrer') : null,
    created_at: claim?.createdAt ?? work.now(),
    consumed_at: claim?.consumedAt ?? null,
  };
}

/** Returns the parts of an evaluation that are stored in less detail for a failed attempt. */
function storedParts({ normalised, recognition, judgement }: Judged, request: SealedRequest) {
  const { sources, ...address } = normalised.address?.info ?? {};
  const { findings, decisions, risk, basis, observedVerdict } = judgement;
  const isObserved = observedVerdict !== undefined;
  const { changed } = recognition;
  const domain = basis?.values['email.domain'];
  if (normalised.outcome !== 'failed') {
    const whole: SealedRequest = {
      ...request,
      ...(domain && { email_domain: domain }),
      ...(sources && { address_sources: sources }),
    };
    return {
      request: whole,
      address: sources && address,
      findings,
      decisions: decisionsBeside(basis, decisions, isObserved),
      risk,
      changed,
    };
  }
  return {
    request: failureToSeal(request),
    address: sources && failureAddress(address),
    findings: failureFindings(findings),
    decisions: failureDecisions(decisions, basis, isObserved),
    risk: undefined,
    changed: [],
  };
}

function responseOf({ id, judged: { normalised, recognition, judgement }, effects }: Recorded): Evaluation {
  const address = normalised.address?.info;
  const { userId, deviceId, challengeId } = effects;
  const { verdict, observedVerdict, alternativeVerdict, findings, decisions, tags, risk } = judgement;
  return {
    verdict,
    fingerprint_id: recognition.identityId,
    reasons: findings.map(({ reason }) => reason),
    decided_by: decidedBy(decisions, { action: normalised.request.action, verdict }),
    ...(tags.length > 0 && { tags: [...tags] }),
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
