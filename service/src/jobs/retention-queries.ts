import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../db/schema/index.js';
import type { Database } from '../service.js';
import { deleteEvents } from '../webhooks/queries/events.js';

/**
 * Rows to delete: those older than `before`, at most `limit` at a time. Each function returns the number of rows that
 * it deleted.
 */
export interface Age {
  readonly before: Date;
  readonly limit: number;
}

async function deletedRows(db: Database, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(db);
  return Number(numAffectedRows);
}

export function removeOldEvaluations(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from evaluations where world_id = ${worldId} and id in (
      select id from evaluations where world_id = ${worldId} and created_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldChallenges(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from challenges where world_id = ${worldId} and id in (
      select id from challenges where world_id = ${worldId} and created_at < ${before} and status <> 'pending'
      limit ${limit} for update skip locked
    )`,
  );
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
  const onces = await deletedRows(
    db,
    sql`delete from event_onces where world_id = ${worldId} and once in (
      select once from event_onces where world_id = ${worldId} and event_id < ${beforeId}::uuid
      limit ${limit} for update skip locked
    )`,
  );
  const deliveries = await deletedRows(
    db,
    sql`delete from webhook_deliveries where world_id = ${worldId} and (event_id, endpoint_id) in (
      select event_id, endpoint_id from webhook_deliveries where world_id = ${worldId} and event_id < ${beforeId}::uuid
      limit ${limit} for update skip locked
    )`,
  );
  return Math.max(onces, deliveries);
}

export function removeOldAttempts(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from webhook_attempts where world_id = ${worldId} and id in (
      select id from webhook_attempts where world_id = ${worldId} and at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

/** Deletes addresses that have not been used recently and are not trusted. */
export function removeOldAddresses(
  db: Database,
  worldId: string,
  { before, limit, now }: Age & { readonly now: Date },
): Promise<number> {
  return deletedRows(
    db,
    sql`delete from user_addresses where world_id = ${worldId} and (user_id, network) in (
      select user_id, network from user_addresses
      where world_id = ${worldId} and coalesce(seen_at, trusted_until) < ${before} and (trusted_until is null or trusted_until < ${now})
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldCounters(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from counters where world_id = ${worldId} and (name, subject, window_start) in (
      select name, subject, window_start from counters where world_id = ${worldId} and window_start < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldIdempotency(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from idempotency where world_id = ${worldId} and (key_id, route, idempotency_key) in (
      select key_id, route, idempotency_key from idempotency where world_id = ${worldId} and created_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOverNonces(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from spent_nonces where world_id = ${worldId} and nonce in (
      select nonce from spent_nonces where world_id = ${worldId} and expires_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
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
