import { sql } from 'kysely';
import { fragment, statement } from '../../ground/db/statement.js';
import type { SubjectKind } from '../../ground/vocabulary.js';
import type { Database, Transaction } from '../../resources/service.js';
import type { WindowCounts } from './rules/windows.js';

/** Subjects of an evaluation, as lists of equal length, ordered by kind. */
export interface SubjectLists {
  readonly kinds: readonly SubjectKind[];
  readonly subjects: readonly Uint8Array[];
}

/** Evaluation to count. */
export interface Counted extends SubjectLists {
  readonly worldId: string;
  readonly slot: Date;
  /** Number of rows that each subject's evaluations are divided among. */
  readonly shards: readonly number[];
  readonly failures: 0 | 1;
  readonly signups: 0 | 1;
  readonly userCell: number;
  readonly deviceCell: number;
  /** Null if the country is not known. */
  readonly countryCell: number | null;
}

/**
 * Counts an evaluation for each of its subjects. Everyone locks the rows in the same order, and a connection always uses
 * the same shard, so simultaneous evaluations of a subject with several shards seldom wait for each other.
 */
export const countEvaluation = fragment<Counted>()`
  insert into velocity_counts as v (
    world_id, kind, subject, slot, shard, evaluations, failures, signups, users, failed_users, devices, countries
  )
  select ${'worldId'}::uuid, s.kind, s.subject, ${'slot'}::timestamptz, pg_backend_pid() % s.shards, 1,
    ${'failures'}::int, ${'signups'}::int,
    case when s.kind <> 'user' then set_bit(0::bit(512), ${'userCell'}::int, 1) end,
    case when s.kind <> 'user' and ${'failures'}::int = 1 then set_bit(0::bit(512), ${'userCell'}::int, 1) end,
    case when s.kind <> 'device' then set_bit(0::bit(512), ${'deviceCell'}::int, 1) end,
    set_bit(0::bit(676), ${'countryCell'}::int, 1)
  from unnest(${'kinds'}::text[], ${'subjects'}::bytea[], ${'shards'}::int[]) as s (kind, subject, shards)
  on conflict (world_id, kind, subject, slot, shard) do update set
    evaluations = v.evaluations + excluded.evaluations,
    failures = v.failures + excluded.failures,
    signups = v.signups + excluded.signups,
    users = coalesce(v.users | excluded.users, v.users, excluded.users),
    failed_users = coalesce(v.failed_users | excluded.failed_users, v.failed_users, excluded.failed_users),
    devices = coalesce(v.devices | excluded.devices, v.devices, excluded.devices),
    countries = coalesce(v.countries | excluded.countries, v.countries, excluded.countries)`;

/** Subjects whose counts are read. */
export interface CountsLookup extends SubjectLists {
  readonly worldId: string;
  /** Starts of the windows. */
  readonly fiveMinutes: Date;
  readonly hour: Date;
  readonly day: Date;
}

/** Counts of one subject in a window. */
export interface CountsRow extends WindowCounts {
  readonly kind: SubjectKind;
}

/**
 * Reads the counts of all subjects, as a JSON array of `CountsRow`, null if there are none. Windows are parts of each
 * other, so each row is read once. Leaves out windows with the same counts as the next shorter one. `offset 0` keeps the
 * planner from joining, for which it would scan the whole table while it has no statistics. The sub-selects hide values
 * from the planner. If it saw them, it would plan at each execution, which takes longer than the execution.
 */
export const selectCounts = fragment<CountsLookup>()`
  select json_agg(c) from (
    select s.kind, v.part,
      (sum(sum(v.evaluations)) over wider)::int as evaluations, (sum(sum(v.failures)) over wider)::int as failures,
      (sum(sum(v.signups)) over wider)::int as signups,
      coalesce(bit_count(bit_or(bit_or(v.users)) over wider), 0)::int as users,
      coalesce(bit_count(bit_or(bit_or(v.failed_users)) over wider), 0)::int as "failedUsers",
      coalesce(bit_count(bit_or(bit_or(v.devices)) over wider), 0)::int as devices,
      coalesce(bit_count(bit_or(bit_or(v.countries)) over wider), 0)::int as countries
    from unnest((select ${'kinds'}::text[]), (select ${'subjects'}::bytea[])) as s (kind, subject)
    cross join lateral (
      select *,
        case when c.slot >= ${'fiveMinutes'}::timestamptz then 0 when c.slot >= ${'hour'}::timestamptz then 1 else 2 end as part
      from velocity_counts c
      where c.world_id = (select ${'worldId'}::uuid) and c.kind = s.kind and c.subject = s.subject
        and c.slot >= (select ${'day'}::timestamptz)
      offset 0
    ) v
    group by s.kind, v.part
    window wider as (partition by s.kind order by v.part)
  ) c`;

const selectCountsAlone = statement<CountsLookup, { counts: CountsRow[] | null }>()`select (${selectCounts}) as counts`;

/** Returns the counts of some subjects. Subjects of one kind are counted together. */
export async function findCounts(db: Database, lookup: CountsLookup): Promise<CountsRow[]> {
  const [row] = await selectCountsAlone(db, lookup);
  return row?.counts ?? [];
}

/** Shard of merged rows. */
const mergedShard = -1;

/** Period whose rows are merged. */
export interface MergedPeriod {
  /** Start of a slot or an hour in which no evaluation is counted any more. */
  readonly from: Date;
  readonly to: Date;
  /** A subject with at most this many rows is left as it is. */
  readonly above: number;
}

/** Merges the rows of each busy subject in a period into one row at its start. */
export async function mergeCounts(trx: Transaction, worldId: string, { from, to, above }: MergedPeriod): Promise<void> {
  await sql`
    with old as (
      delete from velocity_counts v using (
        select kind, subject from velocity_counts
        where world_id = ${worldId} and slot >= ${from} and slot < ${to}
        group by kind, subject having count(*) > ${above}
      ) busy
      where v.world_id = ${worldId} and v.kind = busy.kind and v.subject = busy.subject
        and v.slot >= ${from} and v.slot < ${to} and (v.slot, v.shard) <> (${from}, ${mergedShard})
      returning v.*
    )
    insert into velocity_counts as m (
      world_id, kind, subject, slot, shard, evaluations, failures, signups, users, failed_users, devices, countries
    )
    select ${worldId}::uuid, kind, subject, ${from}::timestamptz, ${mergedShard}, sum(evaluations), sum(failures),
      sum(signups), bit_or(users), bit_or(failed_users), bit_or(devices), bit_or(countries)
    from old group by kind, subject
    on conflict (world_id, kind, subject, slot, shard) do update set
      evaluations = m.evaluations + excluded.evaluations,
      failures = m.failures + excluded.failures,
      signups = m.signups + excluded.signups,
      users = coalesce(m.users | excluded.users, m.users, excluded.users),
      failed_users = coalesce(m.failed_users | excluded.failed_users, m.failed_users, excluded.failed_users),
      devices = coalesce(m.devices | excluded.devices, m.devices, excluded.devices),
      countries = coalesce(m.countries | excluded.countries, m.countries, excluded.countries)
  `.execute(trx);
}

/** Deletes the counts of a user. */
export async function deleteCountsOfUser(
  trx: Transaction,
  worldId: string,
  subjects: readonly Uint8Array[],
): Promise<void> {
  await trx
    .deleteFrom('velocity_counts')
    .where('world_id', '=', worldId)
    .where('kind', '=', 'user')
    .where('subject', 'in', [...subjects])
    .execute();
}
