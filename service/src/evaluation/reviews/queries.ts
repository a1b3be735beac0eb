import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { ReviewTable } from '../../ground/db/schema/index.js';
import { columnValues, sentWithNext } from '../../ground/db/statement.js';
import type { ReviewDecision } from '../../ground/vocabulary.js';
import type { Database, Transaction } from '../../resources/service.js';

export type ReviewRow = Selectable<ReviewTable>;

const newColumns = ['world_id', 'evaluation_id', 'user_id', 'cause', 'verdict', 'score', 'created_at'] as const;

type NewReview = Pick<Insertable<ReviewTable>, (typeof newColumns)[number]>;

/** Adds an evaluation to the review queue. */
export const insertReview = sentWithNext<NewReview>()`insert into reviews ${columnValues<NewReview>(newColumns)}`;

/** Returns the number of reviews that wait for a decision, counted up to a limit. */
export function waitingReviews(worldId: string, limit: number): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from (
      select from reviews where world_id = ${worldId} and decided_at is null limit ${sql.lit(limit)}
    ) waiting
  )`;
}

export function findReview(db: Database, worldId: string, evaluationId: string): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('evaluation_id', '=', evaluationId)
    .executeTakeFirst();
}

/** Returns a review and locks it until the transaction ends. A review is locked before its evaluation. */
export function lockReview(db: Transaction, worldId: string, evaluationId: string): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('evaluation_id', '=', evaluationId)
    .forUpdate()
    .executeTakeFirst();
}

/** Order of the queue: the oldest first, or the highest score. */
export type ReviewOrder = 'oldest' | 'score';

export function reviewOrder(order: ReviewOrder) {
  return order === 'oldest' ? sql`evaluation_id` : sql`score desc, evaluation_id`;
}

/** Locks and returns the first waiting review that nobody has taken. Others that are being decided are skipped. */
export async function lockNextReview(
  db: Transaction,
  worldId: string,
  { order, now }: { readonly order: ReviewOrder; readonly now: Date },
): Promise<ReviewRow | undefined> {
  const { rows } = await sql<ReviewRow>`
    select * from reviews
    where world_id = ${worldId} and decided_at is null and (taken_until is null or taken_until <= ${now})
    order by ${reviewOrder(order)} limit 1 for update skip locked
  `.execute(db);
  return rows[0];
}

type Key = Pick<ReviewRow, 'world_id' | 'evaluation_id'>;

export async function setTaken(
  db: Transaction,
  { world_id, evaluation_id }: Key,
  taken: { readonly by: string; readonly until: Date },
): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ taken_by: taken.by, taken_until: taken.until })
    .where('world_id', '=', world_id)
    .where('evaluation_id', '=', evaluation_id)
    .execute();
}

/** Decides a review if it still waits; otherwise returns false. `taken_by` remains only if it was decided in the queue. */
export async function setDecision(
  db: Transaction,
  { world_id, evaluation_id }: Key,
  { decision, by, at, isOfQueue }: Decided,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reviews')
    .set({
      decision,
      decided_by: by,
      decided_at: at,
      taken_by: isOfQueue ? by : null,
      taken_until: isOfQueue ? at : null,
    })
    .where('world_id', '=', world_id)
    .where('evaluation_id', '=', evaluation_id)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets an evaluation wait again, if its review was decided by this label, and not in the queue. */
export async function reopenReview(
  db: Transaction,
  { world_id, evaluation_id }: Key,
  label: FeedbackLabel,
): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ decision: null, decided_by: null, decided_at: null })
    .where('world_id', '=', world_id)
    .where('evaluation_id', '=', evaluation_id)
    .where('decision', '=', label)
    .where('taken_by', 'is', null)
    .execute();
}

interface Decided {
  readonly decision: ReviewDecision;
  readonly by: string;
  readonly at: Date;
  /** Whether somebody decided it in the queue. Otherwise a label was set elsewhere. */
  readonly isOfQueue: boolean;
}
