import { sql } from 'kysely';
import { fragment, statement } from '../../ground/db/statement.js';
import type { SubjectKind } from '../../ground/vocabulary.js';
import type { Database, Transaction } from '../../resources/service.js';
import type { Batch } from './rules/pending-counts.js';
import type { Mergeable } from './rules/slots.js';
import type { WindowCounts } from './rules/windows.js';

/** Subjects of an evaluation, as lists of equal length. */
export interface SubjectLists {
  readonly kinds: readonly SubjectKind[];
  readonly subjects: readonly Uint8Array[];
}

/** Rows that a process has not stored, or is storing. */
export interface PendingValues {
  readonly worldId: string;
  readonly process: string;
  /** JSON of `PendingRow[]`. */
  readonly pending: string;
}

const pendingPart = fragment<PendingValues>();
/** Rows of `pending`. */
export const pendingRows = pendingPart`
      select r.batch, r.kind, decode(r.subject, 'hex') as subject, r.slot, r.evaluations, r.failures, r.signups,
        ('x' || r.users)::bit(512) as users, ('x' || r.failed_users)::bit(512) as failed_users,
        ('x' || r.devices)::bit(512) as devices, ('x' || r.countries)::bit(676) as countries
      from jsonb_to_recordset(${'pending'}::jsonb) as r (
        batch bigint, kind text, subject text, slot timestamptz, evaluations int, failures int, signups int,
        users text, failed_users text, devices text, countries text
      )`;

const noteBatch = statement<Omit<PendingValues, 'pending'> & { readonly batch: number; readonly at: Date }, object>()`
  insert into velocity_batches as b (world_id, process, batch, at)
  select w.id, ${'process'}::uuid, ${'batch'}::bigint, ${'at'}::timestamptz from worlds w where w.id = ${'worldId'}::uuid
  on conflict (world_id, process) do update set batch = excluded.batch, at = excluded.at where b.batch < excluded.batch
  returning true as noted`;

/** Everyone locks the rows in the same order. */
const addPending = statement<PendingValues>()`
  insert into velocity_counts as v (
    world_id, kind, subject, slot, shard, evaluations, failures, signups, users, failed_users, devices, countries
  )
  select ${'worldId'}::uuid, p.kind, p.subject, p.slot, 0, p.evaluations, p.failures, p.signups, p.users,
    p.failed_users, p.devices, p.countries
  from (${pendingRows}) p
  order by p.kind, p.subject, p.slot
  on conflict (world_id, kind, subject, slot, shard) do update set
    evaluations = v.evaluations + excluded.evaluations,
    failures = v.failures + excluded.failures,
    signups = v.signups + excluded.signups,
    users = coalesce(v.users | excluded.users, v.users, excluded.users),
    failed_users = coalesce(v.failed_users | excluded.failed_users, v.failed_users, excluded.failed_users),
    devices = coalesce(v.devices | excluded.devices, v.devices, excluded.devices),
    countries = coalesce(v.countries | excluded.countries, v.countries, excluded.countries)`;

/**
 * Stores a batch of a process, unless it is stored already, because the connection was lost after the commit, or the world
 * no longer exists.
 */
export async function storeCounts(
  db: Database,
  { number, rows }: Batch,
  { worldId, process, at }: { readonly worldId: string; readonly process: string; readonly at: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const noted = await noteBatch(trx, { worldId, process, batch: number, at });
    if (noted.length > 0) await addPending(trx, { worldId, process, pending: JSON.stringify(rows) });
  });
}

/** Condition for rows `p` of `pending` whose batch the statement does not see in the table. */
export const isPending = pendingPart`p.batch > coalesce((
            select b.batch from velocity_batches b where b.world_id = ${'worldId'}::uuid and b.process = ${'process'}::uuid
          ), 0)`;

const unionPending = fragment<CountsLookup & PendingValues>()`union all (
          select p.slot, p.evaluations, p.failures, p.signups, p.users, p.failed_users, p.devices, p.countries
          from (${pendingRows}) p
          where p.kind = s.kind and p.subject = s.subject and p.slot >= ${'day'}::timestamptz and ${isPending}
        )`;

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
 * Windows are parts of each other, so each row is read once. Leaves out windows with the same counts as the next shorter
 * one. `offset 0` keeps the planner from joining, for which it would scan the whole table while it has no statistics. The
 * sub-selects hide other values than the world from the planner. If it saw them, it would plan at each execution, which
 * takes longer than the execution. Pending rows count until the statement sees their batch in the table.
 */
const uptoRows = fragment<CountsLookup>()`
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
      from (
        (
          select c.slot, c.evaluations, c.failures, c.signups, c.users, c.failed_users, c.devices, c.countries
          from velocity_counts c
          where c.world_id = ${'worldId'}::uuid and c.kind = s.kind and c.subject = s.subject
            and c.slot >= (select ${'day'}::timestamptz)
          offset 0
        )`;
const afterRows = fragment<CountsLookup>()`
      ) c
    ) v
    group by s.kind, v.part
    window wider as (partition by s.kind order by v.part)
  ) c`;

/** Reads the stored counts of all subjects, as a JSON array of `CountsRow`, null if there are none. */
export const selectCounts = fragment<CountsLookup>()`${uptoRows}${afterRows}`;

/** The same, with counts that this process has not stored yet. */
export const selectCountsWithPending = fragment<
  CountsLookup & PendingValues
>()`${uptoRows} ${unionPending}${afterRows}`;

const selectCountsAlone = statement<CountsLookup, { counts: CountsRow[] | null }>()`select (${selectCounts}) as counts`;

/** Returns the stored counts of some subjects. Subjects of one kind are counted together. */
export async function findCounts(db: Database, lookup: CountsLookup): Promise<CountsRow[]> {
  const [row] = await selectCountsAlone(db, lookup);
  return row?.counts ?? [];
}

/** Shard of merged rows. */
const mergedShard = -1;

/** A subject with at most this many rows of an hour is left as it is. */
const fewRows = 3;

/** Merges the rows of each busy subject in an hour into one row at its start. */
export async function mergeCounts(trx: Transaction, worldId: string, { from, to }: Mergeable): Promise<void> {
  await sql`
    with old as (
      delete from velocity_counts v using (
        select kind, subject from velocity_counts
        where world_id = ${worldId} and slot >= ${from} and slot < ${to}
        group by kind, subject having count(*) > ${fewRows}
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
