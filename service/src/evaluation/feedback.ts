import { validate as isUuid } from 'uuid';
import type { FeedbackLabel, FeedbackRequest, Success } from 'whorl/wire';
import { ApiError, noSuch } from '../ground/errors.js';
import { commandLine, type NamedOrigin, type Origin, recordInWorld } from '../resources/audit/audit.js';
import { type Caller, type Database, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findClaim } from './claims/queries.js';
import { findEvaluation, setFeedback, setLabel } from './queries/evaluations.js';
import { lockReview, reopenReview, setDecision } from './reviews/queries.js';

/** Stores feedback about an evaluation: whether the action was fraud. */
export async function giveFeedback(
  service: Service,
  caller: Caller,
  id: string,
  feedback: FeedbackRequest,
  origin: Origin,
): Promise<Success> {
  await inTransaction(service, caller, (work) => recordFeedback(work, id, feedback, origin));
  return { success: true };
}

/** Stores feedback, and records who gave it in the audit log. @throws {ApiError} `not_found`, `not_consumed` */
export async function recordFeedback(
  work: UnitOfWork,
  id: string,
  feedback: FeedbackRequest,
  origin: Origin,
): Promise<void> {
  const { worldId } = work.caller;
  if (isUuid(id)) await decideByLabel(work, id, feedback.label, origin);
  const before = isUuid(id) ? await findEvaluation(work.db, worldId, id) : undefined;
  const userId = await storeFeedback(work.db, work.caller, id, feedback);
  await recordLabel(work, { id, userId, from: before?.feedback_label ?? null, to: feedback.label }, origin);
}

/**
 * Ends the wait of an evaluation for a review. Returns false if it did not wait. Locks the review before the evaluation,
 * as reviewing does.
 */
function decideByLabel(
  work: UnitOfWork,
  id: string,
  label: FeedbackLabel,
  { by = commandLine }: Origin,
): Promise<boolean> {
  const review = { world_id: work.caller.worldId, evaluation_id: id };
  return setDecision(work.db, review, { decision: label, by, at: work.now(), isOfQueue: false });
}

/** Stores feedback. Returns the user that the evaluation belongs to, or null. */
async function storeFeedback(
  db: Database,
  { worldId }: Caller,
  id: string,
  { label, note }: FeedbackRequest,
): Promise<string | null> {
  const labelled = isUuid(id) ? await setFeedback(db, worldId, id, { label, note: note ?? null }) : undefined;
  if (labelled) return labelled.user_id;
  if (isUuid(id) && (await findClaim(db, worldId, id))) {
    throw new ApiError('not_consumed', {
      detail:
        'A page requested this evaluation, and your server has not consumed it. Unconsumed evaluations are deleted within 24 hours.',
    });
  }
  throw noSuch('evaluation');
}

/** What a label replaced. */
export interface ReplacedLabel {
  readonly label: FeedbackLabel | null;
  readonly userId: string | null;
  /** Whether the evaluation waited for a review. */
  readonly waited: boolean;
}

/**
 * Labels an evaluation, keeps its note, and records who did it in the audit log. Returns what the label replaced; undefined
 * if the evaluation had it before.
 *
 * @throws {ApiError} `not_found`
 */
export async function changeLabel(
  work: UnitOfWork,
  id: string,
  label: FeedbackLabel,
  origin: NamedOrigin,
): Promise<ReplacedLabel | undefined> {
  const waited = await decideByLabel(work, id, label, origin);
  const evaluation = await findEvaluation(work.db, work.caller.worldId, id, { lock: true });
  if (!evaluation) throw noSuch('evaluation');
  const { feedback_label: from, user_id: userId } = evaluation;
  if (from === label) return undefined;
  await storeLabel(work, { id, userId, from, to: label }, origin);
  return { label: from, userId, waited };
}

/** A label that is taken back. */
export interface LabelToUndo extends Omit<ReplacedLabel, 'userId'> {
  readonly id: string;
  /** Asked with the user of the locked evaluation. False leaves its label as it is. */
  readonly mayUndo: (userId: string | null) => Promise<boolean>;
}

/**
 * Gives an evaluation the label that it had before, or none, and lets it wait for a review again if it did.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoLabel(
  work: UnitOfWork,
  { id, label, waited, mayUndo }: LabelToUndo,
  origin: NamedOrigin,
): Promise<void> {
  const { worldId } = work.caller;
  // The review is locked before the evaluation, as above.
  const review = waited ? await lockReview(work.db, worldId, id) : undefined;
  const evaluation = await findEvaluation(work.db, worldId, id, { lock: true });
  if (!evaluation) throw noSuch('evaluation');
  const { feedback_label: from, user_id: userId } = evaluation;
  if (!(await mayUndo(userId)) || from === null || from === label) return;
  await storeLabel(work, { id, userId, from, to: label }, origin);
  if (review) await reopenReview(work.db, review, from);
}

interface LabelChange {
  readonly id: string;
  readonly userId: string | null;
  readonly from: FeedbackLabel | null;
  readonly to: FeedbackLabel | null;
}

async function storeLabel(work: UnitOfWork, change: LabelChange, origin: NamedOrigin): Promise<void> {
  await setLabel(work.db, work.caller.worldId, change.id, change.to);
  await recordLabel(work, change, origin);
}

/** Records in the audit log who changed a label. */
function recordLabel(work: UnitOfWork, { id, userId, from, to }: LabelChange, origin: Origin): Promise<void> {
  const kind = to === null ? 'label_removed' : `label_${to}`;
  return recordInWorld(work, { ...origin, kind, userId, subject: id, changes: { label: { from, to } } });
}
