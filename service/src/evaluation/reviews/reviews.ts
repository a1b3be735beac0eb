import { validate as isUuid } from 'uuid';
import { noSuch } from '../../ground/errors.js';
import { minuteMs } from '../../ground/time.js';
import type { ReviewDecision } from '../../ground/vocabulary.js';
import { type NamedOrigin, recordInWorld } from '../../resources/audit/audit.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../../resources/service.js';
import { recordFeedback } from '../feedback.js';
import { lockNextReview, lockReview, type ReviewOrder, type ReviewRow, setDecision, setTaken } from './queries.js';

/** Minutes for which somebody who took a review has it alone. */
export const takenMinutes = 15;

interface Reviewer {
  readonly caller: Caller;
  readonly origin: NamedOrigin;
}

/** What stands in the way of a review: it was decided, or somebody else works on it. */
export type ReviewObstacle =
  | { readonly kind: 'decided'; readonly by: string; readonly decision: ReviewDecision }
  | { readonly kind: 'taken'; readonly by: string };

/**
 * Takes a review, so that nobody else decides it for 15 minutes. Returns why it was not possible; undefined if it was.
 *
 * @throws {ApiError} `not_found`
 */
export function takeReview(
  service: Service,
  { caller, origin }: Reviewer,
  id: string,
): Promise<ReviewObstacle | undefined> {
  return inTransaction(service, caller, async (work) => {
    const review = await mustLock(work, id);
    const obstacle = obstacleOf(review, origin.by, work.now());
    if (!obstacle) await take(work, review, origin);
    return obstacle;
  });
}

/** Takes the first waiting review that nobody has taken. Returns the ID of its evaluation; undefined if there is none. */
export function takeNextReview(
  service: Service,
  { caller, origin }: Reviewer,
  order: ReviewOrder,
): Promise<string | undefined> {
  return inTransaction(service, caller, async (work) => {
    const review = await lockNextReview(work.db, caller.worldId, { order, now: work.now() });
    if (review) await take(work, review, origin);
    return review?.evaluation_id;
  });
}

async function take(work: UnitOfWork, review: ReviewRow, origin: NamedOrigin): Promise<void> {
  const until = new Date(work.now().getTime() + takenMinutes * minuteMs);
  await setTaken(work.db, review, { by: origin.by, until });
  const about = { subject: review.evaluation_id, userId: review.user_id };
  await recordInWorld(work, { ...origin, kind: 'review_taken', ...about });
}

interface NewDecision {
  readonly decision: ReviewDecision;
  readonly note?: string;
}

/**
 * Decides a review: labels its evaluation, or sets it aside without a label. Returns why it was not possible; undefined if it
 * was.
 *
 * @throws {ApiError} `not_found`
 */
export function decideReview(
  service: Service,
  { caller, origin }: Reviewer,
  id: string,
  { decision, note }: NewDecision,
): Promise<ReviewObstacle | undefined> {
  return inTransaction(service, caller, async (work) => {
    const review = await mustLock(work, id);
    const obstacle = obstacleOf(review, origin.by, work.now());
    if (obstacle) return obstacle;
    await setDecision(work.db, review, { decision, by: origin.by, at: work.now(), isOfQueue: true });
    if (decision === 'set_aside') {
      const about = { subject: id, userId: review.user_id };
      await recordInWorld(work, { ...origin, kind: 'review_set_aside', ...about });
    } else {
      await recordFeedback(work, id, { label: decision, ...(note !== undefined && { note }) }, origin);
    }
    return undefined;
  });
}

/** Returns why somebody cannot take or decide a review; undefined if they can. */
export function obstacleOf(review: ReviewRow, by: string, now: Date): ReviewObstacle | undefined {
  const { decision, decided_by: decider, taken_by: holder, taken_until: until } = review;
  if (decision !== null && decider !== null) return { kind: 'decided', by: decider, decision };
  const isTaken = holder !== null && holder !== by && until !== null && until > now;
  return isTaken ? { kind: 'taken', by: holder } : undefined;
}

async function mustLock({ db, caller }: UnitOfWork, id: string): Promise<ReviewRow> {
  const review = isUuid(id) ? await lockReview(db, caller.worldId, id) : undefined;
  if (!review) throw noSuch('evaluation');
  return review;
}
