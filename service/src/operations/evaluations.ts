import { validate as isUuid } from 'uuid';
import type { ConsumeRequest, EvaluationRecord, FeedbackRequest, Success } from 'whorl/wire';
import { judge } from '../domain/evaluation/judge.js';
import { readFingerprint } from '../domain/linking/fingerprint-text.js';
import { ApiError } from '../errors.js';
import type { Caller, Database, Service, Transaction } from '../service.js';
import { type EvaluationRow, findEvaluation, markConsumed, setFeedback } from '../store/queries/evaluations.js';
import { lockUser } from '../store/queries/locks.js';
import { touchVariant } from '../store/queries/recognition.js';
import { challengeUrlOf } from './challenge-page/link.js';
import { externalIdOf, readAsked } from './evaluation/asked.js';
import { gatherFacts, stateQuestion } from './evaluation/gather.js';
import { openRequest } from './evaluation/record.js';
import { type Effects, saveEffects } from './evaluation/save.js';
import type { Recognition } from './recognise.js';
import { evaluationLifetimeSeconds, tokenOfDevice } from './tokens.js';
import { toEvaluationRecord } from './views.js';

/** One evaluation as recorded. */
export async function retrieveEvaluation(service: Service, caller: Caller, id: string): Promise<EvaluationRecord> {
  return toEvaluationRecord(service, await mustFind(service.db, caller, id));
}

/**
 * Redeems an evaluation, once and for its own user and action: what a publishable key claimed is carried out then.
 *
 * @throws {ApiError} `not_found`, `evaluation_mismatch`, `already_consumed`, `evaluation_expired` after 5 minutes.
 */
export async function consumeEvaluation(
  service: Service,
  caller: Caller,
  id: string,
  { user, action }: ConsumeRequest,
): Promise<EvaluationRecord> {
  return service.db.transaction().execute(async (db) => {
    const { external_user } = await mustFind(db, caller, id);
    // The user before the row, in the order in which every operation locks.
    await lockUser(db, caller.worldId, external_user);
    const row = await mustFind(db, caller, id, { lock: true });
    const at = service.now();
    const externalId = await externalIdOf(db, caller, user);
    if (externalId !== row.external_user || action !== row.action) throw new ApiError('evaluation_mismatch');
    if (row.consumed_at) throw new ApiError('already_consumed');
    if (at.getTime() - row.created_at.getTime() > evaluationLifetimeSeconds * 1000) {
      throw new ApiError('evaluation_expired');
    }
    const { userId, deviceId } = row.claimed
      ? await carryOut(db, service, caller, row)
      : { userId: row.user_id ?? undefined, deviceId: row.device_id ?? undefined };
    await markConsumed(db, id, { at, userId: userId ?? null, deviceId: deviceId ?? null });
    const record = toEvaluationRecord(service, await mustFind(db, caller, id));
    return {
      ...record,
      ...challengeUrlOf(service, caller, record.challenge_id),
      ...(deviceId && { device_token: tokenOfDevice(service, caller, deviceId) }),
    };
  });
}

/** Does for a claimed evaluation what was held back: its verdict stands, its contacts stay a claim. */
async function carryOut(db: Transaction, service: Service, caller: Caller, row: EvaluationRow): Promise<Effects> {
  const { fingerprint, metadata, user_agent } = openRequest(service, row);
  const request = {
    user: row.external_user,
    action: row.action,
    fingerprint,
    ...(row.ip === null ? {} : { ip: row.ip }),
    ...(metadata ? { metadata } : {}),
    ...(user_agent ? { user_agent } : {}),
  };
  const proof = { outcome: row.proof ?? undefined, thumbprint: row.key_thumbprint ?? undefined };
  const asked = readAsked(service, request, row.external_user, proof);
  const recognition: Recognition = {
    identityId: row.identity_id,
    variantId: row.variant_id,
    matchedBy: row.matched_by,
    confidence: row.confidence,
    changed: row.changed,
    fingerprint: readFingerprint(fingerprint),
  };
  await touchVariant(db, row.variant_id, service.now(), false);
  const question = stateQuestion(service, caller, asked, recognition.fingerprint);
  const gathered = await gatherFacts(db, service, caller, { asked, recognition, question });
  const { trustsFirstDevice, trustsAddress } = judge(gathered.facts);
  const isAllowed = row.verdict === 'allow';
  const judgement = {
    verdict: row.verdict,
    findings: row.findings,
    trustsFirstDevice: isAllowed && trustsFirstDevice,
    trustsAddress: isAllowed && trustsAddress,
  };
  return saveEffects(db, service, caller, { asked, recognition, gathered, judgement }, row.challenge_id ?? undefined);
}

/** Keeps what became of an action: whether it was fraud after all. */
export async function giveFeedback(
  service: Service,
  caller: Caller,
  id: string,
  feedback: FeedbackRequest,
): Promise<Success> {
  await keepFeedback(service.db, caller, id, feedback);
  return { success: true };
}

/** The same, in whichever transaction; answers the user that the evaluation is of, where there is one. */
export async function keepFeedback(
  db: Database,
  { worldId }: Caller,
  id: string,
  { label, note }: FeedbackRequest,
): Promise<string | null> {
  const labelled = isUuid(id) ? await setFeedback(db, worldId, id, label, note ?? null) : undefined;
  if (!labelled) throw notFound();
  return labelled.user_id;
}

async function mustFind(db: Database, { worldId }: Caller, id: string, options?: { lock: boolean }) {
  const row = isUuid(id) ? await findEvaluation(db, worldId, id, options) : undefined;
  if (!row) throw notFound();
  return row;
}

function notFound(): ApiError {
  return new ApiError('not_found', { detail: 'There is no evaluation of this id.' });
}
