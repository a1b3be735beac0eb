import { type Selectable, sql } from 'kysely';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import type { ChallengeTable } from '../../ground/db/schema/index.js';
import { type ListedChallengeRow, listedColumns } from '../../resources/challenges/search/queries.js';
import type { Database } from '../../resources/service.js';
import type { UserKey } from '../../resources/users/queries/users.js';

/** Returns challenges of a user, newest first. */
export async function listChallengesOfUser(
  db: Database,
  user: UserKey,
  from: Position,
  limit: number,
): Promise<ListedChallengeRow[]> {
  const { behind, first } = newestFirst(from, limit);
  const { rows } = await sql<ListedChallengeRow>`
    select * from (select ${listedColumns} from challenges
      where world_id = ${user.world_id} and user_id = ${user.id} and ${behind} ${first}) found
    order by created_at desc, id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Evaluation that led to a challenge. */
export interface LeadingEvaluation {
  readonly id: string;
  readonly created_at: Date;
}

/**
 * Maximum number of rows that each part of the query reads. More evaluations within one challenge's lifetime indicate a
 * flood.
 */
const maxScanned = 2000;

/**
 * Returns the first evaluations that led to a challenge. Searches the user's evaluations from the time in which the
 * challenge was open, and any user's from the moment it was created: a challenge of a claim can have no stored user.
 */
export async function listLeadingEvaluations(
  db: Database,
  challenge: Pick<Selectable<ChallengeTable>, 'id' | 'world_id' | 'user_id' | 'created_at' | 'expires_at'>,
  limit: number,
): Promise<LeadingEvaluation[]> {
  const { id, world_id, user_id, created_at, expires_at } = challenge;
  const momentEnd = new Date(Math.min(created_at.getTime() + sameMomentMs, expires_at.getTime()));
  const { rows } = await sql<LeadingEvaluation>`
    select id, created_at from (
      (select id, created_at, challenge_id from evaluations
        where world_id = ${world_id} and user_id = ${user_id}::uuid and created_at >= ${created_at} and created_at <= ${expires_at}
        order by created_at limit ${sql.lit(maxScanned)})
      union (select id, created_at, challenge_id from evaluations
        where world_id = ${world_id} and created_at >= ${created_at} and created_at <= ${momentEnd}
        order by created_at limit ${sql.lit(maxScanned)})
    ) near where challenge_id = ${id} order by created_at, id limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Maximum time between a challenge and the evaluation that created it, which share a transaction. */
const sameMomentMs = 5000;
