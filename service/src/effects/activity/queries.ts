import { type RawBuilder, sql } from 'kysely';
import type { ActivitySource } from '../../ground/db/schema/index.js';
import { hourSeconds } from '../../ground/time.js';
import type { Database, Transaction } from '../../resources/service.js';
import { type Counted, classWidth, scoreStep, sharingEvents } from './rules.js';

export const activitySources = ['evaluations', 'challenges', 'events'] as const satisfies readonly ActivitySource[];

const never = new Date(0);
const step = sql.lit(scoreStep);

/** What each row of a source is counted as. `now` determines which challenges have expired. */
const labels: Readonly<Record<ActivitySource, (now: Date) => RawBuilder<unknown>>> = {
  evaluations: () => sql`
    select case when s.outcome = 'failed' then 'failure' else 'verdict' end as kind, s.verdict as label
    union all select 'observed', s.observed_verdict where s.observed_verdict is not null and s.outcome = 'succeeded'
    union all select 'alternative', s.alternative_verdict
      where s.alternative_verdict is not null and s.outcome = 'succeeded'
    union all select 'reason', reason from jsonb_array_elements_text(s.reasons) as reason
      where s.outcome = 'succeeded'
    union all select 'score', (least(floor(s.risk_score / ${step}), ${sql.lit(100 / scoreStep - 1)}) * ${step})::integer::text
      where s.risk_score is not null and s.outcome = 'succeeded'
    union all select 'country', s.address ->> 'country' where s.address ? 'country' and s.outcome = 'succeeded'
    union all select 'network', concat_ws(' ', s.address ->> 'asn', left(s.address ->> 'organisation', 60))
      where s.address ? 'asn' and s.outcome = 'succeeded'`,
  challenges: (now) => sql`
    select 'challenge' as kind,
      case when s.status = 'pending' and s.expires_at <= ${now}::timestamptz then 'expired' else s.status end as label
    union all select 'completion',
      floor(ln(greatest(extract(epoch from s.completed_at - s.created_at), 1)::float8) / ${classWidth}::float8)::text
      where s.completed_at is not null`,
  events: () => sql`
    select 'event' as kind, s.type as label
    where s.type in (${sql.join(sharingEvents.map((type) => sql.lit(type)))})`,
};

/** Networks and countries of an hour that are added to its counts at a time: the most frequent, so that they stay few. */
const maxPlaces = 20;

interface Span {
  readonly from: Date;
  /** Exclusive. Default: no end. */
  readonly to?: Date;
  readonly columnSeconds: number;
  readonly now: Date;
}

/** Counts the rows of a source directly, using an index on the time. For short spans. */
function countRows(source: ActivitySource, worldId: string, { from, to, columnSeconds, now }: Span) {
  return sql<Counted>`
    select ${columnOf(sql`s.created_at`, columnSeconds)} as at, l.kind, l.label, count(*)::integer as count
    from ${sql.table(source)} s cross join lateral (${labels[source](now)}) l
    where s.world_id = ${worldId} and s.created_at >= ${from} ${to ? sql`and s.created_at < ${to}` : sql``}
    group by 1, 2, 3`;
}

/** Returns the start of the column that a time falls into. */
function columnOf(moment: RawBuilder<unknown>, columnSeconds: number): RawBuilder<Date> {
  const size = sql.lit(columnSeconds);
  return sql`to_timestamp(floor(extract(epoch from ${moment}) / ${size}) * ${size})`;
}

/** Returns the time until which each source is included in the hourly counts. */
async function readFolds(db: Database, worldId: string): Promise<Map<ActivitySource, Date>> {
  const rows = await db
    .selectFrom('activity_folds')
    .select(['source', 'until'])
    .where('world_id', '=', worldId)
    .execute();
  return new Map(rows.map(({ source, until }) => [source, until]));
}

/**
 * Returns the activity of a world by column: the hourly counts, plus a live count of rows that they do not include yet.
 *
 * @param trx Must be repeatable read, because rows are folded into the hourly counts concurrently.
 * @param span `from` and `to` must be full hours, and `columnSeconds` a multiple of one hour.
 */
export async function countActivity(trx: Transaction, worldId: string, span: Span): Promise<Counted[]> {
  const { from, to, columnSeconds } = span;
  const folds = await readFolds(trx, worldId);
  const { rows: folded } = await sql<Counted>`
    select case when kind in ('score', 'country', 'network') then ${from}::timestamptz
        else ${columnOf(sql`hour`, columnSeconds)} end as at, kind, label, sum(count)::integer as count
    from activity_counts where world_id = ${worldId} and hour >= ${from} ${to ? sql`and hour < ${to}` : sql``}
    group by 1, 2, 3`.execute(trx);
  const counted = [...folded];
  for (const source of activitySources) {
    const until = folds.get(source) ?? never;
    if (to && until >= to) continue;
    const live = { ...span, from: until > from ? until : from };
    counted.push(...(await countRows(source, worldId, live).execute(trx)).rows);
  }
  return counted;
}

/** Returns the hourly counts of verdicts and failed attempts in some hours, and the first hour that has any counts. */
export async function readHours(
  db: Database,
  worldId: string,
  hours: readonly Date[],
): Promise<{ readonly first: Date | undefined; readonly counted: Counted[] }> {
  const { rows } = await sql<Counted>`
    select hour as at, kind, label, count from activity_counts
    where world_id = ${worldId} and hour = any(${[...hours]}::timestamptz[]) and kind in ('verdict', 'failure')
  `.execute(db);
  const found = await sql<{ first: Date | null }>`
    select min(hour) as first from activity_counts where world_id = ${worldId}`.execute(db);
  return { first: found.rows[0]?.first ?? undefined, counted: rows };
}

/** Returns the creation time of the oldest pending challenge. */
export async function oldestOpenChallenge(db: Database, worldId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('challenges')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .where('world_id', '=', worldId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/**
 * Adds at most `limit` rows of a source to the hourly counts. The counts and the time that they include change in one
 * transaction, and the row lock admits one process at a time, so that every row is counted exactly once.
 *
 * @param options.before Rows from this time on are not added, because they may still be inserted or changed.
 * @returns Whether there may be more rows to add.
 */
export async function foldActivity(
  trx: Transaction,
  worldId: string,
  source: ActivitySource,
  { before, limit, now }: { readonly before: Date; readonly limit: number; readonly now: Date },
): Promise<boolean> {
  const from = await lockFold(trx, worldId, source);
  const { rows: found } = await sql<{ found: number; last: Date | null }>`
    select count(*)::integer as found, max(created_at) as last from (
      select created_at from ${sql.table(source)}
      where world_id = ${worldId} and created_at >= ${from} and created_at < ${before}
      order by created_at limit ${limit}
    ) next_rows`.execute(trx);
  const [{ found: count, last } = { found: 0, last: null }] = found;
  if (count === 0 || last === null) return false;
  const isAll = count < limit;
  // Rows with the same time are added together.
  const to = isAll ? before : last > from ? last : new Date(last.getTime() + 1);
  await sql`
    insert into activity_counts (world_id, hour, kind, label, count)
    select ${worldId}::uuid, at, kind, label, count
    from (
      select *, row_number() over (partition by at, kind order by count desc, label) as place
      from (${countRows(source, worldId, { from, to, columnSeconds: hourSeconds, now })}) counted
    ) ranked
    where kind not in ('country', 'network') or place <= ${sql.lit(maxPlaces)}
    on conflict (world_id, hour, kind, label) do update set count = activity_counts.count + excluded.count`.execute(
    trx,
  );
  await trx
    .updateTable('activity_folds')
    .set({ until: to })
    .where('world_id', '=', worldId)
    .where('source', '=', source)
    .execute();
  return !isAll;
}

async function lockFold(trx: Transaction, worldId: string, source: ActivitySource): Promise<Date> {
  await trx
    .insertInto('activity_folds')
    .values({ world_id: worldId, source, until: never })
    .onConflict((conflict) => conflict.columns(['world_id', 'source']).doNothing())
    .execute();
  const { until } = await trx
    .selectFrom('activity_folds')
    .select('until')
    .where('world_id', '=', worldId)
    .where('source', '=', source)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return until;
}

/** Deletes a world's hourly counts, so that they are computed again from the existing rows. */
export async function deleteActivity(trx: Transaction, worldId: string): Promise<void> {
  await trx.deleteFrom('activity_folds').where('world_id', '=', worldId).execute();
  await trx.deleteFrom('activity_counts').where('world_id', '=', worldId).execute();
}

/** Deletes hourly counts from before a time. */
export async function removeOldActivity(db: Database, worldId: string, before: Date): Promise<void> {
  await db.deleteFrom('activity_counts').where('world_id', '=', worldId).where('hour', '<', before).execute();
}
