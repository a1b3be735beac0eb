import { sql } from 'kysely';
import type { Database } from '../../../resources/service.js';

/** What labels are counted for: a verdict, a reason, a rule that was on, one in shadow, or a tag. */
export type Counted = 'verdict' | 'reason' | 'rule' | 'shadow' | 'tag';

export interface LabelCount {
  readonly kind: Counted;
  readonly name: string;
  readonly fraud: number;
  readonly legitimate: number;
}

/** Labelled evaluations of a period. */
export interface LabelCounts {
  readonly fraud: number;
  readonly legitimate: number;
  readonly counts: readonly LabelCount[];
}

/** Counts the labels of the newest labelled evaluations since a time, at most `limit`, by index. */
export async function countLabels(
  db: Database,
  worldId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<LabelCounts> {
  const { rows } = await sql<LabelCounts>`
    with labelled as materialized (
      select feedback_label = 'fraud' as is_fraud, verdict, reasons, findings, tags, coalesce(decisions, '[]') as decisions
      from evaluations where world_id = ${worldId} and feedback_label is not null and created_at >= ${since}
      order by created_at desc limit ${sql.lit(limit)}
    ), found as (
      select 'verdict' as kind, verdict as name, is_fraud from labelled
      union all
      select 'reason', reason, is_fraud from labelled, jsonb_array_elements_text(reasons) reason where reason <> 'rule'
      union all
      select 'rule', rule ->> 'name', is_fraud
      from labelled, jsonb_array_elements(findings) finding, jsonb_array_elements(finding #> '{evidence,rules}') rule
      where finding ->> 'reason' = 'rule'
      union all
      select 'shadow', decision ->> 'rule', is_fraud
      from labelled, jsonb_array_elements(decisions) decision
      where decision #> '{excused,by}' ? 'shadow'
      union all
      select 'tag', tag, is_fraud from labelled, jsonb_array_elements_text(tags) tag
    ), counted as (
      select kind, name, (count(*) filter (where is_fraud))::int as fraud,
        (count(*) filter (where not is_fraud))::int as legitimate
      from found group by kind, name order by count(*) desc, name
    )
    select (count(*) filter (where is_fraud))::int as fraud, (count(*) filter (where not is_fraud))::int as legitimate,
      (select coalesce(jsonb_agg(counted), '[]') from counted) as counts
    from labelled
  `.execute(db);
  return rows[0] ?? { fraud: 0, legitimate: 0, counts: [] };
}
