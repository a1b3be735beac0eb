import { sql } from 'kysely';
import type { Database } from '../service.js';
import { aboutOf, type ChainPlace, hashOf } from './chain-queries.js';

/** Entry of the chain that is not as it was written, or whose user was removed. */
export interface SuspectRow {
  readonly seq: string;
  readonly before: string;
  /** Whether its number follows that of the previous entry. */
  readonly follows: boolean;
  /** Whether its hash covers its content and the previous entry. */
  readonly is_linked: boolean;
  /** Whether its user and subject are those that it was written with; null if they were removed. */
  readonly is_about: boolean | null;
}

export interface CheckedBatch {
  readonly count: number;
  /** Place of the last entry; undefined if there are no more entries. */
  readonly last: ChainPlace | undefined;
  readonly suspects: readonly SuspectRow[];
}

/** Checks the entries after a place, at most `limit` and those with the number of the last one. */
export async function checkBatch(db: Database, after: ChainPlace, limit: number): Promise<CheckedBatch> {
  const { rows: ends } = await sql<{ seq: string | null; count: string }>`
    select max(seq) as seq, count(*) as count from (
      select seq from audit_log where seq > ${after.seq} order by seq limit ${limit}
    ) as batch`.execute(db);
  const end = ends[0]?.seq ?? null;
  if (end === null) return { count: 0, last: undefined, suspects: [] };
  const { rows: suspects } = await sql<SuspectRow>`
    with part as (
      select audit_log.*,
        lag(seq, 1, ${after.seq}::bigint) over places as before_seq,
        lag(hash, 1, ${Buffer.from(after.hash, 'hex')}::bytea) over places as before_hash
      from audit_log where seq > ${after.seq} and seq <= ${end}::bigint window places as (order by seq, id)
    ), checked as (
      select seq, id, before_seq, seq = before_seq + 1 as follows,
        coalesce(hash = ${hashOf(sql`before_hash`, 'part')}, false) as is_linked,
        case
          when about is null then user_id is null and subject is null and salt is null
          when salt is not null then about = ${aboutOf('part')}
          when user_id is null and subject is null then null
          else false
        end as is_about
      from part
    )
    select seq::text, before_seq::text as before, follows, is_linked, is_about from checked
    where not follows or not is_linked or is_about is distinct from true order by checked.seq, checked.id`.execute(db);
  const { rows: lasts } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from audit_log where seq = ${end}::bigint order by id desc limit 1`.execute(db);
  return { count: Number(ends[0]?.count ?? 0), last: { seq: Number(end), hash: lasts[0]?.hash ?? '' }, suspects };
}

/** Returns the hash of an entry; undefined if it does not exist. */
export async function findHash(db: Database, seq: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row?.hash;
}

/** Entry of the chain that says something about the chain itself. */
export interface ChainEvent {
  readonly seq: number;
  readonly kind: string;
  readonly details: Record<string, unknown>;
  readonly created_at: Date;
}

/** Returns the entries of these kinds, the oldest first. */
export async function listChainEvents(db: Database, kinds: readonly string[]): Promise<ChainEvent[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['seq', 'kind', 'details', 'created_at'])
    .where('kind', 'in', kinds)
    .where('seq', 'is not', null)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Returns the number of entries that are not in the chain, or before its beginning. */
export async function countOutside(db: Database, baseSeq: number): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((eb) => eb.or([eb('seq', 'is', null), eb('seq', '<=', baseSeq)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}
