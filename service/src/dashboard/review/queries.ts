import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type ReviewOrder, type ReviewRow, reviewOrder, waitingReviews } from '../../evaluation/reviews/queries.js';
import type { EvaluationTable } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';

/** Evaluation that waits for a review. */
export type WaitingRow = Pick<ReviewRow, 'evaluation_id' | 'cause' | 'score' | 'taken_by' | 'taken_until'> &
  Pick<
    Selectable<EvaluationTable>,
    'created_at' | 'user_id' | 'external_user' | 'action' | 'outcome' | 'verdict' | 'reasons' | 'ip' | 'address'
  >;

/** Position in the queue: after the review of this evaluation. */
export type ReviewPosition = Pick<ReviewRow, 'evaluation_id' | 'score'>;

/** Returns waiting reviews in their order, by index. */
export async function listWaiting(
  db: Database,
  worldId: string,
  {
    order,
    after,
    limit,
  }: { readonly order: ReviewOrder; readonly after?: ReviewPosition | undefined; readonly limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select r.evaluation_id, r.cause, r.score, r.taken_by, r.taken_until, e.created_at, e.user_id, e.external_user, e.action,
      e.outcome, e.verdict, e.reasons, e.ip, e.address
    from (
      select evaluation_id, cause, score, taken_by, taken_until from reviews
      where world_id = ${worldId} and decided_at is null and ${after ? behind(order, after) : sql`true`}
      order by ${reviewOrder(order)} limit ${sql.lit(limit)}
    ) r join evaluations e on e.world_id = ${worldId} and e.id = r.evaluation_id
    order by ${reviewOrder(order)}
  `.execute(db);
  return rows;
}

function behind(order: ReviewOrder, { evaluation_id: id, score }: ReviewPosition): RawBuilder<unknown> {
  if (order === 'oldest') return sql`evaluation_id > ${id}`;
  return sql`score <= ${score}::real and (score < ${score}::real or evaluation_id > ${id})`;
}

/** How many reviews wait, counted up to a limit, and how they were decided. */
export interface ReviewFigures {
  readonly waiting: number;
  readonly decided: number;
  readonly labelled: number;
  /** Labels that agree with the verdict: fraud that was restricted or denied, and legitimate actions that were not. */
  readonly agreed: number;
  /** Median time from the evaluation to the decision. */
  readonly median_seconds: number | null;
}

/** Returns figures of the queue, and of the newest decisions in it since a time, at most `limit` of each. */
export async function readFigures(
  db: Database,
  worldId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<ReviewFigures> {
  const { rows } = await sql<ReviewFigures>`
    select ${waitingReviews(worldId, limit)} as waiting,
      count(*)::int as decided,
      (count(*) filter (where decision <> 'set_aside'))::int as labelled,
      (count(*) filter (
        where decision <> 'set_aside' and (decision = 'fraud') = (verdict not in ('allow', 'challenge'))
      ))::int as agreed,
      percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)::float8) as median_seconds
    from (
      select decision, verdict, decided_at, created_at from reviews
      where world_id = ${worldId} and decided_at is not null and decided_at >= ${since} and taken_by is not null
      order by decided_at desc limit ${sql.lit(limit)}
    ) newest
  `.execute(db);
  return rows[0] ?? { waiting: 0, decided: 0, labelled: 0, agreed: 0, median_seconds: null };
}
