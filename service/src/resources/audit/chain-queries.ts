import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from '../service.js';

const headId = 'head';
/** Hash before the first entry. */
export const firstHash = '0'.repeat(64);

/** Entry that is about to be added. */
export interface NewAuditRow {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly admin_id: string | null;
  readonly project_id: string | null;
  readonly mode: string | null;
  readonly user_id: string | null;
  readonly subject: string | null;
  readonly network: string | null;
  /** JSON. */
  readonly changes: string | null;
  /** JSON. */
  readonly details: string;
  readonly created_at: Date;
  /** Random; null if the entry names neither user nor subject. */
  readonly salt: Uint8Array | null;
}

/** Place in the chain: number and hash (hexadecimal) of an entry. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Returns the text of an entry that its hash covers: a JSON list as PostgreSQL prints it. The time is in microseconds.
 * User and subject are in it by their hash only.
 */
export const contentOf = (entry: string): RawBuilder<string> =>
  sql.raw(`jsonb_build_array(${entry}.seq, ${entry}.id, ${entry}.kind, ${entry}.actor, ${entry}.admin_id,
    ${entry}.project_id, ${entry}.mode, ${entry}.network, ${entry}.changes::text, ${entry}.details::text,
    trunc(extract(epoch from ${entry}.created_at) * 1000000), encode(${entry}.about, 'hex'))::text`);

export const aboutOf = (entry: string): RawBuilder<Uint8Array> =>
  sql.raw(`sha256(${entry}.salt || convert_to(coalesce(${entry}.user_id::text, '') || '/' ||
    coalesce(${entry}.subject::text, ''), 'UTF8'))`);

export const hashOf = (previous: RawBuilder<unknown>, entry: string): RawBuilder<Uint8Array> =>
  sql`sha256(${previous} || convert_to(${contentOf(entry)}, 'UTF8'))`;

/** Locks the end of the chain until the transaction ends, and returns its seal; null before the chain begins. */
export async function lockSeal(trx: Transaction): Promise<Uint8Array | null> {
  const find = () =>
    trx.selectFrom('audit_head').select('seal').where('id', '=', headId).forUpdate().executeTakeFirst();
  const found = await find();
  if (found) return found.seal;
  await trx
    .insertInto('audit_head')
    .values({ id: headId, seal: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await find())?.seal ?? null;
}

export async function findSeal(db: Database): Promise<Uint8Array | null> {
  const row = await db.selectFrom('audit_head').select('seal').where('id', '=', headId).executeTakeFirst();
  return row?.seal ?? null;
}

export async function saveSeal(trx: Transaction, seal: Uint8Array): Promise<void> {
  await trx.updateTable('audit_head').set({ seal }).where('id', '=', headId).execute();
}

/** Adds an entry after another. Returns its place. */
export async function insertAuditRow(trx: Transaction, row: NewAuditRow, previous: ChainPlace): Promise<ChainPlace> {
  const seq = previous.seq + 1;
  const { rows } = await sql<{ hash: string }>`
    with given as (
      select ${seq}::bigint as seq, ${row.id}::uuid as id, ${row.kind}::text as kind, ${row.actor}::text as actor,
        ${row.admin_id}::uuid as admin_id, ${row.project_id}::uuid as project_id, ${row.mode}::text as mode,
        ${row.user_id}::uuid as user_id, ${row.subject}::uuid as subject, ${row.network}::text as network,
        ${row.changes}::text::jsonb as changes, ${row.details}::text::jsonb as details,
        ${row.created_at}::timestamptz as created_at, ${row.salt}::bytea as salt
    ), entry as (select given.*, ${aboutOf('given')} as about from given)
    insert into audit_log (seq, id, kind, actor, admin_id, project_id, mode, user_id, subject, network, changes, details,
      created_at, salt, about, hash)
    select seq, id, kind, actor, admin_id, project_id, mode, user_id, subject, network, changes, details,
      created_at, salt, about, ${hashOf(sql`${Buffer.from(previous.hash, 'hex')}::bytea`, 'entry')} from entry
    returning encode(hash, 'hex') as hash`.execute(trx);
  return { seq, hash: rows[0]?.hash ?? '' };
}

/** Entries from before the chain that are put into it. */
export interface ChainedBatch {
  readonly last: ChainPlace;
  /** ID of the last one. */
  readonly lastId: string;
}

/**
 * Puts the oldest entries from before the chain into it, at most `limit`, after the one with the ID `afterId`. Returns
 * undefined if there are none.
 */
export async function chainOldest(
  trx: Transaction,
  previous: ChainPlace,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<ChainedBatch | undefined> {
  const { rows } = await sql<{ seq: string; hash: string; id: string }>`
    with recursive given as materialized (
      select earlier.*, ${previous.seq}::bigint + row_number() over (order by id) as place,
        case when user_id is not null or subject is not null then uuid_send(gen_random_uuid()) end as new_salt
      from (
        select * from audit_log where seq is null and id > ${afterId} order by id limit ${limit}
      ) as earlier
    ), numbered as (
      select place as seq, new_salt as salt, id, kind, actor, admin_id, project_id, mode, user_id, subject, network,
        changes, details, created_at from given
    ), entry as materialized (select numbered.*, ${aboutOf('numbered')} as about from numbered),
    chain as (
      select ${previous.seq}::bigint as seq, ${Buffer.from(previous.hash, 'hex')}::bytea as hash
      union all
      select entry.seq, ${hashOf(sql`chain.hash`, 'entry')} from chain join entry on entry.seq = chain.seq + 1
    ), updated as (
      update audit_log set seq = entry.seq, salt = entry.salt, about = entry.about, hash = chain.hash
      from entry join chain on chain.seq = entry.seq where audit_log.id = entry.id
      returning audit_log.seq, audit_log.hash, audit_log.id
    )
    select seq::text, encode(hash, 'hex') as hash, id from updated order by updated.seq desc limit 1`.execute(trx);
  const [end] = rows;
  return end && { last: { seq: Number(end.seq), hash: end.hash }, lastId: end.id };
}

/** Returns the first and the last entry of the chain; undefined if it has none. */
export async function findEnds(
  db: Database,
): Promise<{ readonly first: number; readonly last: ChainPlace } | undefined> {
  const places = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('audit_log')
      .select(['seq', sql<string>`encode(hash, 'hex')`.as('hash')])
      .where('seq', 'is not', null)
      .orderBy('seq', direction)
      .limit(1)
      .executeTakeFirst();
  const [first, last] = [await places('asc'), await places('desc')];
  if (!first || !last) return undefined;
  return { first: Number(first.seq), last: { seq: Number(last.seq), hash: last.hash } };
}

/**
 * Deletes the oldest entries of the chain that are older than `before`, at most `limit`. Returns their number and the
 * place of the newest deleted one.
 */
export async function removeOldest(
  trx: Transaction,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<{ readonly count: number; readonly last: ChainPlace | undefined }> {
  const { rows: ends } = await sql<{ seq: string; hash: string }>`
    select seq, encode(hash, 'hex') as hash from audit_log
    where seq <= (select min(seq) - 1 + ${limit} from audit_log)
      and seq < coalesce((select min(seq) from audit_log where created_at >= ${before}), 9223372036854775807)
    order by seq desc limit 1`.execute(trx);
  const [end] = ends;
  if (!end) return { count: 0, last: undefined };
  const last = { seq: Number(end.seq), hash: end.hash };
  await sql`select set_config('whorl.audit_retention', 'on', true)`.execute(trx);
  const { numAffectedRows = 0n } = await sql`delete from audit_log where seq <= ${last.seq}`.execute(trx);
  await sql`select set_config('whorl.audit_retention', 'off', true)`.execute(trx);
  return { count: Number(numAffectedRows), last };
}

/** Removes user and subject from the entries about a user. Returns the numbers of these entries. */
export async function forgetUserInEntries(trx: Transaction, userId: string): Promise<number[]> {
  const rows = await trx
    .updateTable('audit_log')
    .set({ user_id: null, subject: null, salt: null })
    .where('user_id', '=', userId)
    .returning('seq')
    .execute();
  return rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
}
