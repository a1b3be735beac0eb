import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';

/** Maximum number of evaluations that results are counted over. It bounds the cost of the page. */
export const maxCountedEvaluations = 5000;

/** How often the rules of one name matched and failed. */
export interface RuleCounts {
  /** Evaluations that a rule matched, on or in shadow. */
  readonly matched: number;
  /** Evaluations in which its condition failed. */
  readonly failed: number;
}

/** Newest evaluations of a world, with the results of rules. */
export interface CountedResults {
  readonly evaluations: number;
  /** Time of the oldest one. Null if there are none. */
  readonly since: Date | null;
  readonly rules: readonly (RuleCounts & { readonly name: string })[];
}

/** Counts the results of rules in the newest evaluations of a world. */
export async function countRuleResults(db: Database, worldId: string): Promise<CountedResults> {
  const { rows } = await sql<CountedResults>`
    with newest as materialized (
      select created_at, reasons, findings, decisions from evaluations
      where world_id = ${worldId} order by created_at desc limit ${sql.lit(maxCountedEvaluations)}
    ), results as (
      select rule ->> 'name' as name, true as is_match
      from newest, jsonb_array_elements(findings) finding, jsonb_array_elements(finding #> '{evidence,rules}') rule
      where reasons ? 'rule' and finding ->> 'reason' = 'rule'
      union all
      select decision ->> 'rule', decision #> '{excused,by}' ? 'shadow'
      from newest, jsonb_array_elements(decisions) decision
      where decision ? 'rule' and decision #> '{excused,by}' ?| array['shadow', 'rule_failed']
    ), counted as (
      select name, count(*) filter (where is_match)::int as matched, count(*) filter (where not is_match)::int as failed
      from results group by name
    )
    select count(*)::int as evaluations, min(created_at) as since,
      (select coalesce(jsonb_agg(counted), '[]') from counted) as rules
    from newest
  `.execute(db);
  return rows[0] ?? { evaluations: 0, since: null, rules: [] };
}
