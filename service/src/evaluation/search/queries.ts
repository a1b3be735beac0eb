import { type RawBuilder, type Selectable, sql } from 'kysely';
import { addressIs, allOf } from '../../ground/db/conditions.js';
import { type Scan, type ScanKeys, type ScanRequest, scanByTime } from '../../ground/db/scan-queries.js';
import type { EvaluationTable } from '../../ground/db/schema/index.js';
import { hardwareKeyOf } from '../../resources/devices/queries/hardware-condition.js';
import type { Database } from '../../resources/service.js';
import type { EvaluationFilter } from './rules/filters.js';

/** Columns of an evaluation in a list. */
export type ListedEvaluationRow = Pick<
  Selectable<EvaluationTable>,
  | 'id'
  | 'created_at'
  | 'user_id'
  | 'external_user'
  | 'device_id'
  | 'identity_id'
  | 'action'
  | 'outcome'
  | 'verdict'
  | 'observed_verdict'
  | 'reasons'
  | 'risk_score'
  | 'ip'
  | 'address'
  | 'matched_by'
  | 'confidence'
  | 'changed'
  | 'challenge_id'
  | 'feedback_label'
  | 'tags'
> & {
  /** Names of the rules in shadow that matched. Null if there are none. */
  readonly shadow_rules: readonly string[] | null;
};

const columns = sql`id, created_at, user_id, external_user, device_id, identity_id, action, outcome, verdict,
  observed_verdict, reasons, risk_score, ip, address, matched_by, confidence, changed, challenge_id, feedback_label,
  tags, case when decisions @> ${shadowed()}::jsonb
    then jsonb_path_query_array(decisions, '$[*] ? (@.excused.by == "shadow").rule') end as shadow_rules`;

/** Returns what the decisions about an evaluation contain if a rule in shadow matched it: the given one, or any. */
function shadowed(rule?: string): string {
  return JSON.stringify([{ ...(rule !== undefined && { rule }), excused: { by: ['shadow'] } }]);
}

/** Name that no user has. Failed attempts store its blind index, and denied requests store it as it is. */
export interface UnknownUser {
  readonly externalId: string;
  readonly indexes: readonly Uint8Array[];
}

export interface EvaluationSearch extends Omit<ScanRequest, 'filter' | 'within'> {
  /** Filters, except for `user`. */
  readonly filter: Omit<EvaluationFilter, 'user'>;
  readonly unknownUser?: UnknownUser | undefined;
  readonly now: Date;
}

/** Returns evaluations of a world, newest first. */
export function scanEvaluations(
  db: Database,
  { filter, unknownUser, now, ...request }: EvaluationSearch,
): Promise<Scan<ListedEvaluationRow>> {
  const { worldId } = request;
  const within = indexOf(worldId, filter);
  const condition = allOf([
    ...conditionsOf(worldId, filter),
    ...addressConditions(filter),
    filter.challenge && challengeCondition(filter.challenge, now),
    // An index that is used for one of the two does not know the other.
    within?.column === 'device_id' && filter.user_id && sql`user_id = ${filter.user_id}`,
    unknownUser && unknownUserCondition(unknownUser),
  ]);
  return scanByTime(db, { table: sql`evaluations`, columns }, { ...request, filter: condition, within });
}

/** Returns the index that finds the fewest rows. */
function indexOf(worldId: string, { device_id, user_id }: EvaluationSearch['filter']): ScanKeys | undefined {
  if (device_id !== undefined) {
    const root = sql`coalesce(
      (select merged_into from devices where world_id = ${worldId} and id = ${device_id}), ${device_id}::uuid)`;
    const keys = sql`select ${root} as key
      union all select id from devices where world_id = ${worldId} and merged_into = ${root}`;
    return { column: 'device_id', keys };
  }
  return user_id === undefined ? undefined : { column: 'user_id', keys: sql`select ${user_id}::uuid as key` };
}

function conditionsOf(worldId: string, filter: EvaluationSearch['filter']) {
  const {
    verdict,
    reason,
    action,
    outcome,
    min_score,
    below_score,
    label,
    matched_by,
    rule,
    tag,
    fingerprint_id,
    hardware_id,
  } = filter;
  const matchingRule = JSON.stringify([{ reason: 'rule', evidence: { rules: [{ name: rule }] } }]);
  return [
    verdict && sql`verdict = ${verdict}`,
    reason && sql`reasons ? ${reason}`,
    action && sql`action = ${action}`,
    outcome && sql`outcome = ${outcome}`,
    min_score !== undefined && sql`risk_score >= ${min_score}`,
    below_score !== undefined && sql`risk_score < ${below_score}`,
    label && (label === 'none' ? sql`feedback_label is null` : sql`feedback_label = ${label}`),
    matched_by && sql`matched_by = ${matched_by}`,
    rule && sql`(reasons ? 'rule' and findings @> ${matchingRule}::jsonb or decisions @> ${shadowed(rule)}::jsonb)`,
    tag && sql`tags ? ${tag}`,
    fingerprint_id && identityCondition(worldId, fingerprint_id),
    hardware_id &&
      sql`exists (
        select from variants v where v.world_id = evaluations.world_id and v.id = evaluations.variant_id
          and v.hardware_key = ${hardwareKeyOf(worldId, hardware_id)}
      )`,
  ];
}

function identityCondition(worldId: string, id: string): RawBuilder<unknown> {
  const root = sql`coalesce(
    (select merged_into from identities where world_id = ${worldId} and id = ${id}), ${id}::uuid)`;
  return sql`exists (
    select from identities i where i.world_id = evaluations.world_id and i.id = evaluations.identity_id
      and coalesce(i.merged_into, i.id) = ${root}
  )`;
}

function addressConditions({ ip, country, asn, address_kind }: EvaluationSearch['filter']) {
  return [
    ip && addressIs('ip', ip),
    country && sql`address ->> 'country' = ${country}`,
    asn && sql`address ->> 'asn' = ${asn}`,
    address_kind && sql`address ->> 'kind' = ${address_kind}`,
  ];
}

function challengeCondition(status: NonNullable<EvaluationFilter['challenge']>, now: Date): RawBuilder<unknown> {
  if (status === 'none') return sql`challenge_id is null`;
  // Like `statusAt`: a pending challenge whose time is up counts as expired before the status is updated.
  return sql`exists (
    select from challenges c where c.world_id = evaluations.world_id and c.id = evaluations.challenge_id
      and case when c.status = 'pending' and c.expires_at <= ${now} then 'expired' else c.status end = ${status}
  )`;
}

function unknownUserCondition({ externalId, indexes }: UnknownUser): RawBuilder<unknown> {
  return sql`user_id is null and (external_user = ${externalId} or user_index in (${sql.join(indexes)}))`;
}
