import { statement } from '../../ground/db/statement.js';
import type { Database } from '../../resources/service.js';
import { type CountsLookup, type PendingValues, pendingRows } from './queries.js';

/** Counters that are read. */
export type CounterLookup = Omit<CountsLookup, 'kinds'> & PendingValues;

/** Evaluations of one counter in each window. */
interface CounterRow {
  /** Key of the subject, hexadecimal. */
  readonly subject: string;
  readonly fiveMinutes: number;
  readonly hour: number;
  readonly day: number;
}

/** As `selectCounts` for other subjects, with the same measures against plans that scan the table or are made each time. */
const selectCounters = statement<CounterLookup, CounterRow>()`
  select encode(s.subject, 'hex') as subject,
    coalesce(sum(v.evaluations) filter (where v.slot >= ${'fiveMinutes'}::timestamptz), 0)::int as "fiveMinutes",
    coalesce(sum(v.evaluations) filter (where v.slot >= ${'hour'}::timestamptz), 0)::int as hour,
    sum(v.evaluations)::int as day
  from unnest((select ${'subjects'}::bytea[])) as s (subject)
  cross join lateral (
    (
      select c.slot, c.evaluations from velocity_counts c
      where c.world_id = ${'worldId'}::uuid and c.kind = 'counter' and c.subject = s.subject
        and c.slot >= (select ${'day'}::timestamptz)
      offset 0
    )
    union all
    select p.slot, p.evaluations from (${pendingRows}) p
    where p.kind = 'counter' and p.subject = s.subject and p.slot >= ${'day'}::timestamptz and p.batch > coalesce((
      select b.batch from velocity_batches b where b.world_id = ${'worldId'}::uuid and b.process = ${'process'}::uuid
    ), 0)
  ) v
  group by s.subject`;

/** Returns the counts of counters in each window, with those that this process has not stored yet. Without rows: absent. */
export function findCounters(db: Database, lookup: CounterLookup): Promise<CounterRow[]> {
  return selectCounters(db, lookup);
}
