import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ChallengeStatus } from 'whorl/wire';
import type { ChallengeTable } from '../../db/schema/index.js';
import type { Database } from '../../service.js';
import type { UserKey } from '../../users/queries/users.js';
import { newest } from '../newest-queries.js';
import type { Position } from '../position-rules.js';
import { type Scan, type ScanRequest, scanByTime } from '../scan-queries.js';

/** What a list shows of a challenge. */
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

/** Challenges of a world, newest first. */
export function scanChallenges(
  db: Database,
  { status, now }: { readonly status?: ChallengeStatus | undefined; readonly now: Date },
  request: Omit<ScanRequest, 'filter'>,
): Promise<Scan<ListedChallengeRow>> {
  const filter = status && sql<boolean>`${conditionOf(status, now)}`;
  return scanByTime(db, { table: sql`challenges`, columns }, { ...request, filter });
}

/** As `statusAt` has it: past its time, a challenge is expired also before that is written down. */
function conditionOf(status: ChallengeStatus, now: Date): RawBuilder<boolean> {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or (status = 'pending' and expires_at <= ${now}))`;
  return sql`status = ${status}`;
}

/** Challenges of a user, newest first. */
export async function listChallengesOfUser(
  db: Database,
  user: UserKey,
  from: Position,
  limit: number,
): Promise<ListedChallengeRow[]> {
  const { behind, first } = newest(from, limit);
  const { rows } = await sql<ListedChallengeRow>`
    select * from (select ${columns} from challenges
      where world_id = ${user.world_id} and user_id = ${user.id} and ${behind} ${first}) found
    order by created_at desc, id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** An evaluation that led to a challenge. */
export interface LeadingEvaluation {
  readonly id: string;
  readonly created_at: Date;
}

/** How many of a user's evaluations are looked at: within the life of one challenge, more are a flood. */
const mostOfUser = 2000;

/**
 * The first evaluations that led to a challenge, among its user's while it was open, and, where it was claimed by a page
 * for nobody on record, those made at the moment of the challenge.
 */
export async function listLeadingEvaluations(
  db: Database,
  challenge: Pick<Selectable<ChallengeTable>, 'id' | 'world_id' | 'user_id' | 'created_at' | 'expires_at'>,
  limit: number,
): Promise<LeadingEvaluation[]> {
  const { id, world_id, user_id, created_at, expires_at } = challenge;
  const momentEnd = new Date(Math.min(created_at.getTime() + momentMs, expires_at.getTime()));
  const { rows } = await sql<LeadingEvaluation>`
    select id, created_at from (
      (select id, created_at, challenge_id from evaluations
        where world_id = ${world_id} and user_id = ${user_id}::uuid and created_at >= ${created_at} and created_at <= ${expires_at}
        order by created_at limit ${sql.lit(mostOfUser)})
      union (select id, created_at, challenge_id from evaluations
        where world_id = ${world_id} and created_at >= ${created_at} and created_at <= ${momentEnd}
        order by created_at limit ${sql.lit(mostOfUser)})
    ) near where challenge_id = ${id} order by created_at, id limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Between a challenge and the evaluation that it was made in, which are written in one transaction. */
const momentMs = 5000;
