import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ChallengeStatus } from 'whorl/wire';
import { addressIs, allOf } from '../../../ground/db/conditions.js';
import { type Scan, type ScanRequest, scanByTime } from '../../../ground/db/scan-queries.js';
import type { ChallengeTable } from '../../../ground/db/schema/index.js';
import type { Database } from '../../service.js';
import type { ChallengeFilter } from './rules/filters.js';

/** Columns of a challenge in a list. */
export type ListedChallengeRow = Pick<
  Selectable<ChallengeTable>,
  | 'id'
  | 'created_at'
  | 'user_id'
  | 'external_user'
  | 'device_id'
  | 'identity_id'
  | 'action'
  | 'reasons'
  | 'status'
  | 'verified_by'
  | 'completed_at'
  | 'expires_at'
  | 'ip'
>;

export const listedColumns = sql`id, created_at, user_id, external_user, device_id, identity_id, action, reasons, status,
  verified_by, completed_at, expires_at, ip`;

export interface ChallengeSearch extends Omit<ScanRequest, 'filter' | 'within' | 'parts'> {
  readonly filter: Omit<ChallengeFilter, 'user'>;
  readonly now: Date;
}

/** Returns challenges of a world, newest first. */
export function scanChallenges(
  db: Database,
  { filter, now, ...request }: ChallengeSearch,
): Promise<Scan<ListedChallengeRow>> {
  const condition = allOf(conditionsOf(filter, now));
  const { user_id: userId } = filter;
  const within = userId === undefined ? undefined : { column: 'user_id', keys: sql`select ${userId}::uuid as key` };
  const source = { table: sql`challenges`, columns: listedColumns };
  return scanByTime(db, source, { ...request, filter: condition, within });
}

function conditionsOf({ status, action, reason, method, device_id, fingerprint_id, ip }: ChallengeFilter, now: Date) {
  return [
    status && statusCondition(status, now),
    action && sql`action = ${action}`,
    reason && sql`reasons ? ${reason}`,
    method && sql`verified_by = ${method}`,
    device_id && sql`device_id = ${device_id}`,
    fingerprint_id && sql`identity_id = ${fingerprint_id}`,
    ip && addressIs('ip', ip),
  ];
}

/** Mirrors `statusAt`: a pending challenge whose time is up counts as expired before the status is updated. */
function statusCondition(status: ChallengeStatus, now: Date): RawBuilder<boolean> {
  if (status === 'pending') return sql`status = 'pending' and expires_at > ${now}`;
  if (status === 'expired') return sql`(status = 'expired' or (status = 'pending' and expires_at <= ${now}))`;
  return sql`status = ${status}`;
}
