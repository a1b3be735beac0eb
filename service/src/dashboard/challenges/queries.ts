import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ChallengeStatus } from 'whorl/wire';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import { type Scan, type ScanRequest, scanByTime } from '../../ground/db/scan-queries.js';
import type { ChallengeTable } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';
import type { UserKey } from '../../resources/users/queries/users.js';

/** Columns of a challenge in a list. */
export type ListedChallengeRow = Pick<
  Selectable<ChallengeTable>,
  | 'id'
  | 'created_at'
  | 'user_id'
  | 'external_user'
  | 'device_id'
  | 'action'
  | 'reasons'
  | 'status'
  | 'expires_at'
  | 'ip'
>;

const columns = sql`id, created_at, user_id, external_user, device_id, action, reasons, status, expires_at, ip`;

/** Returns challenges of a world, newest first. */
export function scanChallenges(
  db: Database,
  { status, now }: { readonly status?: ChallengeStatus | undefined; readonly now: Date },
  request: Omit<ScanRequest, 'filter'>,
): Promise<Scan<ListedChallengeRow>> {
  const filter = status && sql<boolean>`${conditionOf(status, now)}`;
  return scanByTime(db, { table: sql`challenges`, columns }, { ...request, filter });
}

/** Mirrors `statusAt`: a pending challenge whose time is up counts as expired before the status is updated. */
function conditionOf(status: ChallengeStatus, now: Date): RawBuilder<boolean> {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or (status = 'pending' and expires_at <= ${now}))`;
  return sql`status = ${status}`;
}

/** Returns challenges of a user, newest first. */
export async function listChallengesOfUser(
  db: Database,
  user: UserKey,
  from: Position,
  limit: number,
): Promise<ListedChallengeRow[]> {
  const { behind, first } = newestFirst(from, limit);
  const { rows } = await sql<ListedChallengeRow>`
    select * from (select ${columns} from challenges
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
