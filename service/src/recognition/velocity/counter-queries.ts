import { statement } from '../../ground/db/statement.js';
import { type CountsLookup, isPending, type PendingValues, pendingRows } from './queries.js';

/** Counters that are read. */
type CounterLookup = Omit<CountsLookup, 'kinds'> & PendingValues;

/** Evaluations of one counter in each window. */
interface CounterRow {
  /** Key of the subject, hexadecimal. */
  readonly subject: string;
  readonly fiveMinutes: number;
  readonly hour: number;
  readonly day: number;
}

/**
 * Returns the counts of counters in each window, with those that this process has not stored yet. Without rows: absent. The
 * measures against plans that scan the table, or are made each time, are those of `selectCounts`.
 */
export const findCounters = statement<CounterLookup, CounterRow>()`
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
    where p.kind = 'counter' and p.subject = s.subject and p.slot >= ${'day'}::timestamptz and ${isPending}
  ) v
  group by s.subject`;
