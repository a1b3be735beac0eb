import { type Insertable, type Selectable, sql } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { EvaluationTable } from '../../ground/db/schema/index.js';
import { columnValues, sentWithNext, statement } from '../../ground/db/statement.js';
import type { Database } from '../../resources/service.js';

export type EvaluationRow = Selectable<EvaluationTable>;

const newColumns = [
  'id',
  'world_id',
  'user_id',
  'external_user',
  'user_index',
  'device_id',
  'identity_id',
  'variant_id',
  'action',
  'outcome',
  'verdict',
  'observed_verdict',
  'alternative_verdict',
  'risk',
  'risk_score',
  'reasons',
  'findings',
  'decisions',
  'tags',
  'rule_basis',
  'request',
  'ip',
  'network',
  'address',
  'confidence',
  'matched_by',
  'changed',
  'challenge_id',
  'accepted',
  'claimed',
  'proof',
  'key_thumbprint',
  'referrer_mark',
  'created_at',
  'consumed_at',
] as const satisfies readonly (keyof EvaluationTable)[];

export type NewEvaluation = Pick<Insertable<EvaluationTable>, (typeof newColumns)[number]>;

/** Stores an evaluation. */
export const insertEvaluation = sentWithNext<NewEvaluation>()`
  insert into evaluations ${columnValues<NewEvaluation>(newColumns)}`;

/** Selects evaluations of a world. Merged identities and devices are replaced by those that remain. */
function selectEvaluations(db: Database, worldId: string) {
  return db
    .selectFrom('evaluations as e')
    .selectAll('e')
    .select([
      sql<string>`coalesce((select i.merged_into from identities i where i.world_id = ${worldId} and i.id = e.identity_id), e.identity_id)`.as(
        'identity_id',
      ),
      sql<
        string | null
      >`coalesce((select d.merged_into from devices d where d.world_id = ${worldId} and d.id = e.device_id), e.device_id)`.as(
        'device_id',
      ),
    ])
    .where('e.world_id', '=', worldId);
}

/** Returns one evaluation of a world. `lock` locks the row until the transaction ends. */
export async function findEvaluation(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<EvaluationRow | undefined> {
  const query = selectEvaluations(db, worldId).where('e.id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Returns evaluations of a world by their IDs, newest first. */
export async function findEvaluations(db: Database, worldId: string, ids: readonly string[]): Promise<EvaluationRow[]> {
  if (ids.length === 0) return [];
  const query = selectEvaluations(db, worldId).where('e.id', 'in', [...ids]);
  return query.orderBy('e.created_at', 'desc').orderBy('e.id', 'desc').execute();
}

/** Adds the evaluations of a completed challenge to its user's history. */
export const acceptEvaluations = statement<{
  readonly worldId: string;
  readonly userId: string;
  readonly challengeId: string;
  readonly since: Date;
}>()`
  update evaluations set accepted = true
  where world_id = ${'worldId'} and user_id = ${'userId'} and challenge_id = ${'challengeId'}
    and created_at >= ${'since'} and not accepted`;

/** Records that an evaluation was consumed. */
export async function markConsumed(db: Database, worldId: string, id: string, at: Date): Promise<void> {
  await db
    .updateTable('evaluations')
    .set({ consumed_at: at })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .execute();
}

/** Stores a label, or none, and keeps the note. */
export async function setLabel(db: Database, worldId: string, id: string, label: FeedbackLabel | null): Promise<void> {
  await db
    .updateTable('evaluations')
    .set({ feedback_label: label })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .execute();
}

/** Stores feedback. Returns the user of the evaluation; undefined if the world has no such evaluation. */
export async function setFeedback(
  db: Database,
  worldId: string,
  id: string,
  { label, note }: { readonly label: FeedbackLabel; readonly note: string | null },
): Promise<{ user_id: string | null } | undefined> {
  return db
    .updateTable('evaluations')
    .set({ feedback_label: label, feedback_note: note })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst();
}
