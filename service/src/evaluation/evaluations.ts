import { validate as isUuid } from 'uuid';
import type { ConsumeRequest, EvaluationRecord, Outcome } from 'whorl/wire';
import { lockUser } from '../ground/db/locks.js';
import { ApiError, noSuch } from '../ground/errors.js';
import { challengeUrlOf } from '../resources/challenges/link.js';
import { hardwareOf } from '../resources/devices/hardware.js';
import { findDevice } from '../resources/devices/queries/devices.js';
import { type Caller, type Database, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserByExternalId } from '../resources/users/queries/users.js';
import { openClaim } from './claims/content.js';
import { type ClaimRow, deleteClaim, findClaim } from './claims/queries.js';
import { superseded } from './claims/superseded.js';
import { isClaimOf, takeUpClaim } from './claims/take-up.js';
import { claimRecord } from './claims/views.js';
import { includesIndex, nameIndexes, requestToSeal } from './normalised-request.js';
import { toEvaluationRecord } from './present.js';
import { refreshProjectRisk } from './project-risk.js';
import { type EvaluationRow, findEvaluation, markConsumed } from './queries/evaluations.js';
import { recordEvaluation } from './record.js';
import { evaluationLifetimeSeconds, tokenOfDevice } from './tokens.js';

/** Returns one evaluation, whether recorded or claimed by a page. */
export async function retrieveEvaluation(service: Service, caller: Caller, id: string): Promise<EvaluationRecord> {
  const { evaluation, claim } = await mustFind(service.db, caller, id);
  const opened = claim && openClaim(service, claim);
  const record = evaluation ? toEvaluationRecord(service, evaluation) : opened && claimRecord(service, opened);
  if (!record) throw notFound();
  return { ...record, ...(await hardwareOf(service, caller, record.fingerprint)) };
}

/**
 * Consumes an evaluation, once and only for its user and action. An evaluation claimed with a publishable key is judged
 * again with everything that is known now, and then takes effect: the stricter of both verdicts, with its reasons. If
 * the application rejected the action, the claim is only counted as a failed attempt.
 *
 * @throws {ApiError} `not_found`, `evaluation_mismatch`, `already_consumed`, `evaluation_superseded`,
 *   `evaluation_expired` after 5 minutes.
 */
export async function consumeEvaluation(
  service: Service,
  caller: Caller,
  id: string,
  request: ConsumeRequest,
): Promise<EvaluationRecord> {
  refreshProjectRisk(service, caller);
  const { record, network } = await inTransaction(service, caller, async (work) => {
    const { db: trx } = work;
    const { user: externalId, outcome = 'succeeded' } = request;
    // The user is locked before the row, as in every operation.
    await lockUser(trx, caller.worldId, externalId);
    const { evaluation, claim } = await mustFind(trx, caller, id, { lock: true });
    const consumed = evaluation
      ? { deviceId: await consumeRecorded(work, evaluation, { externalId, action: request.action, outcome }) }
      : await consumeClaim(work, claim, { ...request, user: externalId, outcome });
    const { deviceId } = consumed;
    const row = await findEvaluation(trx, caller.worldId, id);
    const record = row ? toEvaluationRecord(service, row) : 'record' in consumed && consumed.record;
    if (!record) throw notFound();
    const hasToken = deviceId !== undefined && record.verdict !== 'deny' && outcome !== 'failed';
    const response = {
      ...record,
      ...challengeUrlOf(service, caller, record.challenge_id),
      ...(hasToken && { device_token: tokenOfDevice(service, caller, deviceId) }),
    };
    return { record: response, network: row?.network ?? null };
  });
  const isRecorded = record.device_id !== undefined;
  return { ...record, ...(await hardwareOf(service, caller, record.fingerprint, { network, isRecorded })) };
}

/**
 * Consumes an evaluation by the secret key. Its verdict was already carried out and is valid unless it has been
 * revoked.
 */
async function consumeRecorded(
  work: UnitOfWork,
  row: EvaluationRow,
  { externalId, action, outcome }: { readonly externalId: string; readonly action: string; readonly outcome: Outcome },
): Promise<string | undefined> {
  const {
    db: trx,
    caller: { worldId },
  } = work;
  const isSameUser = row.user_index
    ? includesIndex(nameIndexes(work, worldId, externalId), row.user_index)
    : externalId === row.external_user;
  if (!isSameUser || action !== row.action || outcome !== row.outcome) throw new ApiError('evaluation_mismatch');
  if (row.consumed_at) throw new ApiError('already_consumed');
  requireFresh(work, row.created_at);
  const device = row.device_id === null ? undefined : await findDevice(trx, worldId, row.device_id);
  const user = await findUserByExternalId(trx, worldId, externalId);
  const isEnded = device?.status === 'blocked' || (device?.status === 'detached' && !device.auto_detached);
  if (row.verdict !== 'deny' && (isEnded || user?.status === 'suspended')) throw superseded();
  await markConsumed(trx, worldId, row.id, work.now());
  return row.device_id ?? undefined;
}

async function consumeClaim(
  work: UnitOfWork,
  row: ClaimRow | undefined,
  { user, action, outcome, ...userData }: ConsumeRequest & { readonly outcome: Outcome },
): Promise<{ readonly deviceId: string | undefined; readonly record: EvaluationRecord }> {
  const { db: trx, caller } = work;
  const claim = row && openClaim(work, row);
  if (!row || !claim) throw row ? superseded() : notFound();
  const { content, createdAt } = claim;
  const isSameUser = isClaimOf(work, claim, user);
  const isSameOutcome = outcome === 'failed' || content.request.outcome !== 'failed';
  if (!isSameUser || action !== content.request.action || !isSameOutcome) throw new ApiError('evaluation_mismatch');
  requireFresh(work, createdAt);
  const { judged, effects } = await takeUpClaim(work, claim, { externalId: user, outcome, userData });
  const isSame = judged.recognition.identityId === content.fingerprint_id;
  const { confidence, matched_by: matchedBy, changed } = content;
  const recognition = isSame ? { ...judged.recognition, confidence, matchedBy, changed } : judged.recognition;
  const { user: _user, action: _action, ip: _ip, outcome: _outcome, ...sent } = { ...content.request, ...userData };
  const request = outcome === 'failed' ? requestToSeal(judged.normalised) : sent;
  const consumed = { id: row.id, createdAt, consumedAt: work.now(), request };
  const evaluation = await recordEvaluation(work, { ...judged, recognition }, effects, consumed);
  await deleteClaim(trx, caller.worldId, row.id);
  // A failed attempt is not stored once its quota is used up. It then has this record.
  const { challenge_id: _challenge, ...claimed } = claimRecord(work, claim);
  return {
    deviceId: effects.deviceId,
    record: { ...claimed, ...evaluation, outcome, consumed_at: consumed.consumedAt.toISOString() },
  };
}

function requireFresh({ now }: Service, createdAt: Date): void {
  if (now().getTime() - createdAt.getTime() > evaluationLifetimeSeconds * 1000) {
    throw new ApiError('evaluation_expired');
  }
}

async function mustFind(
  db: Database,
  { worldId }: Caller,
  id: string,
  options?: { lock: boolean },
): Promise<{ readonly evaluation?: EvaluationRow; readonly claim?: ClaimRow }> {
  if (!isUuid(id)) throw notFound();
  const evaluation = await findEvaluation(db, worldId, id, options);
  if (evaluation) return { evaluation };
  const claim = await findClaim(db, worldId, id, options);
  if (claim) return { claim };
  throw notFound();
}

function notFound(): ApiError {
  return noSuch('evaluation');
}
