import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../service.js';

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
    sql`delete from evaluations where id in (
      select id from evaluations where world_id = ${worldId} and created_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldChallenges(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from challenges where id in (
      select id from challenges where world_id = ${worldId} and created_at < ${before} and status <> 'pending'
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldEvents(db: Database, worldId: string, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from events where id in (
      select id from events where world_id = ${worldId} and created_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldAttempts(db: Database, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from webhook_attempts where id in (
      select id from webhook_attempts where at < ${before}
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
    sql`delete from user_addresses where (user_id, network) in (
      select user_id, network from user_addresses
      where world_id = ${worldId} and coalesce(seen_at, trusted_until) < ${before} and (trusted_until is null or trusted_until < ${now})
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldCounters(db: Database, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from counters where (world_id, name, subject, window_start) in (
      select world_id, name, subject, window_start from counters where window_start < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOldIdempotency(db: Database, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from idempotency where (key_id, route, idempotency_key) in (
      select key_id, route, idempotency_key from idempotency where created_at < ${before}
      limit ${limit} for update skip locked
    )`,
  );
}

export function removeOverNonces(db: Database, { before, limit }: Age): Promise<number> {
  return deletedRows(
    db,
    sql`delete from spent_nonces where (world_id, nonce) in (
      select world_id, nonce from spent_nonces where expires_at < ${before}
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
    delete from variants where id in (
      select v.id from variants v
      where v.world_id = ${worldId} and v.last_seen_at < ${before}
        and not exists (select from devices d where d.variant_id = v.id)
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
    delete from identities i where i.id = any(${identityIds}::uuid[])
      and not exists (select from variants v where v.identity_id = i.id)
      and not exists (select from devices d where d.identity_id = i.id)
      and not exists (select from identities m where m.merged_into = i.id)
  `.execute(db);
  return rows.length;
}

/** Deletes blind indexes of identities that no longer exist: nothing can match them any more. */
export async function removeLooseMarks(db: Database, worldId: string): Promise<void> {
  await sql`
    delete from marks m where m.world_id = ${worldId}
      and not exists (select from identities i where i.id = m.identity_id)
  `.execute(db);
}
