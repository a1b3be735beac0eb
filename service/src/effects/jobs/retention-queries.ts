import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../ground/db/schema/index.js';
import type { WorldTableName } from '../../ground/db/schema/tables.js';
import { deleteEvents } from '../../resources/events/queries.js';
import type { Database } from '../../resources/service.js';

/**
 * Rows to delete: those older than `before`, at most `limit` at a time. Each function returns the number of rows that
 * it deleted.
 */
export interface Age {
  readonly before: Date;
  readonly limit: number;
}

/**
 * Deletes rows of a world that meet a condition, at most `limit`. Rows that another transaction has locked are left for
 * the next time. `key`: the columns that identify a row within its world.
 */
async function deleteRows(
  db: Database,
  table: WorldTableName,
  key: readonly string[],
  { worldId, condition, limit }: { worldId: string; condition: RawBuilder<unknown>; limit: number },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where world_id = ${worldId} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where world_id = ${worldId} and ${condition}
      limit ${limit} for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows);
}

export function removeOldEvaluations(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deleteRows(db, 'evaluations', ['id'], { worldId, condition: sql`created_at < ${before}`, limit });
}

/** Deletes reviews of evaluations from before an ID. */
export function removeOldReviews(
  db: Database,
  worldId: string,
  { beforeId, limit }: { readonly beforeId: string; readonly limit: number },
): Promise<number> {
  const condition = sql`evaluation_id < ${beforeId}::uuid`;
  return deleteRows(db, 'reviews', ['evaluation_id'], { worldId, condition, limit });
}

export function removeOldBulkActions(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deleteRows(db, 'bulk_actions', ['id'], { worldId, condition: sql`created_at < ${before}`, limit });
}

/** Deletes failed attempts for names that no user had. */
export function removeOldUnknownFailures(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const condition = sql`outcome = 'failed' and user_index is not null and created_at < ${before}`;
  return deleteRows(db, 'evaluations', ['id'], { worldId, condition, limit });
}

export function removeOldChallenges(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const condition = sql`created_at < ${before} and status <> 'pending'`;
  return deleteRows(db, 'challenges', ['id'], { worldId, condition, limit });
}

export async function removeOldEvents(db: Kysely<Schema>, worldId: string, { before, limit }: Age): Promise<number> {
  const old = sql<boolean>`id in (
    select id from events where world_id = ${worldId} and created_at < ${before}
    limit ${limit} for update skip locked
  )`;
  return db.transaction().execute((trx) => deleteEvents(trx, worldId, old));
}

/**
 * Deletes deliveries, their attempts and other references to events from before an ID, at most `limit` at a time. Used
 * for the events of a partition that is dropped.
 */
export async function removeDeliveriesBefore(
  db: Database,
  worldId: string,
  { beforeId, limit }: { readonly beforeId: string; readonly limit: number },
): Promise<number> {
  const rows = { worldId, condition: sql`event_id < ${beforeId}::uuid`, limit };
  const onces = await deleteRows(db, 'event_onces', ['once'], rows);
  return Math.max(onces, await deleteRows(db, 'webhook_deliveries', ['event_id', 'endpoint_id'], rows));
}

export function removeOldAttempts(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deleteRows(db, 'webhook_attempts', ['id'], { worldId, condition: sql`at < ${before}`, limit });
}

/** Deletes addresses that have not been used recently and are not trusted. */
export function removeOldAddresses(
  db: Database,
  worldId: string,
  { before, limit, now }: Age & { readonly now: Date },
): Promise<number> {
  const condition = sql`
    coalesce(seen_at, trusted_until) < ${before} and (trusted_until is null or trusted_until < ${now})
  `;
  return deleteRows(db, 'user_addresses', ['user_id', 'network'], { worldId, condition, limit });
}

export function removeOldCounters(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const condition = sql`window_start < ${before}`;
  return deleteRows(db, 'counters', ['name', 'subject', 'window_start'], { worldId, condition, limit });
}

export function removeOldVelocity(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const key = ['kind', 'subject', 'slot', 'shard'];
  return deleteRows(db, 'velocity_counts', key, { worldId, condition: sql`slot < ${before}`, limit });
}

/** Removes the batches of processes that have ended. */
export function removeOldBatches(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deleteRows(db, 'velocity_batches', ['process'], { worldId, condition: sql`at < ${before}`, limit });
}

export function removeOldIdempotency(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const condition = sql`created_at < ${before}`;
  return deleteRows(db, 'idempotency', ['key_id', 'route', 'idempotency_key'], { worldId, condition, limit });
}

export function removeExpiredNonces(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deleteRows(db, 'spent_nonces', ['nonce'], { worldId, condition: sql`expires_at < ${before}`, limit });
}

/**
 * Deletes fingerprints that have not been seen recently, are not the newest of a device, and are not needed by an open
 * challenge. An identity is deleted with its last fingerprint.
 */
export async function removeUnusedVariants(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  const { rows } = await sql<{ identity_id: string }>`
    delete from variants where world_id = ${worldId} and id in (
      select v.id from variants v
      where v.world_id = ${worldId} and v.last_seen_at < ${before}
        and not exists (select from devices d where d.world_id = v.world_id and d.variant_id = v.id)
        and not exists (
          select from challenges c
          where c.world_id = v.world_id and c.identity_id = v.identity_id
            and c.variant_id = v.id and c.status = 'pending'
        )
      limit ${limit} for update skip locked
    ) returning identity_id
  `.execute(db);
  if (rows.length === 0) return 0;
  const identityIds = [...new Set(rows.map(({ identity_id }) => identity_id))];
  await sql`
    delete from identities i where i.world_id = ${worldId} and i.id = any(${identityIds}::uuid[])
      and not exists (select from variants v where v.world_id = i.world_id and v.identity_id = i.id)
      and not exists (select from devices d where d.world_id = i.world_id and d.identity_id = i.id)
      and not exists (select from identities m where m.world_id = i.world_id and m.merged_into = i.id)
  `.execute(db);
  return rows.length;
}

/** Deletes blind indexes of identities that no longer exist: nothing can match them any more. */
export async function removeLooseMarks(db: Database, worldId: string): Promise<void> {
  await sql`
    delete from marks m where m.world_id = ${worldId}
      and not exists (select from identities i where i.world_id = m.world_id and i.id = m.identity_id)
  `.execute(db);
}
