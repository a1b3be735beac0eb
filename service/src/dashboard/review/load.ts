import { findReview, type ReviewOrder, type ReviewRow } from '../../evaluation/reviews/queries.js';
import { partSize } from '../../ground/db/position-rules.js';
import { dayMs } from '../../ground/time.js';
import type { Caller, Service } from '../../resources/service.js';
import { namesOf } from '../actor-names.js';
import { type ShownEvaluation, showEvaluation } from '../evaluations/load.js';
import { listWaiting, type ReviewFigures, type ReviewPosition, readFigures, type WaitingRow } from './queries.js';

const figuresDays = 30;
/** Maximum number of waiting reviews, and of decisions, that are counted. It bounds the cost of the page. */
export const maxCounted = 1000;

/** The review queue. */
export interface Queue {
  readonly rows: readonly WaitingRow[];
  readonly next: ReviewPosition | undefined;
  readonly figures: ReviewFigures;
  /** Names of those who took reviews, by actor. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

export async function loadQueue(
  service: Service,
  { worldId }: Caller,
  { order, after }: { readonly order: ReviewOrder; readonly after: ReviewPosition | undefined },
): Promise<Queue> {
  const { db } = service;
  const now = service.now();
  const since = new Date(now.getTime() - figuresDays * dayMs);
  const [found, figures] = await Promise.all([
    listWaiting(db, worldId, { order, after, limit: partSize + 1 }),
    readFigures(db, worldId, { since, limit: maxCounted + 1 }),
  ]);
  const rows = found.slice(0, partSize);
  const holders = rows.flatMap(({ taken_by }) => taken_by ?? []);
  return {
    rows,
    next: found.length > partSize ? rows.at(-1) : undefined,
    figures,
    names: await namesOf(service, holders),
    now,
  };
}

/** A review with its evaluation. */
export interface ShownReview {
  readonly review: ReviewRow;
  readonly shown: ShownEvaluation;
  /** Names of those who took or decided it, by actor. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** Reads a review. Returns undefined if the world has no review of an evaluation with this ID. */
export async function loadReview(service: Service, caller: Caller, id: string): Promise<ShownReview | undefined> {
  const shown = await showEvaluation(service, caller, id);
  const review = shown && (await findReview(service.db, caller.worldId, id));
  if (!review) return undefined;
  const actors = [review.taken_by, review.decided_by].flatMap((actor) => actor ?? []);
  return { review, shown, names: await namesOf(service, actors), now: service.now() };
}
