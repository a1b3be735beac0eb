import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from './schema/index.js';
import { statement } from './statement.js';

const takeLock = statement<{ key: string }>()`select pg_advisory_xact_lock(${'key'}::bigint)`;

/**
 * Makes all transactions that concern one user run one after the other, from here to the end of this one. The user
 * need not exist yet. Take it first: with rows locked before, two transactions can wait for each other.
 */
export async function lockUser(trx: Transaction<Schema>, worldId: string, externalUserId: string): Promise<void> {
  await takeLock(trx, { key: lockKey(worldId, externalUserId) });
}

const tryLock = statement<{ key: string }, { taken: boolean }>()`
  select pg_try_advisory_xact_lock(${'key'}::bigint) as taken`;

/**
 * Locks one more user, if no other transaction has it. For those who have a user already: waiting for a second one, two
 * of them could wait for each other.
 */
export async function tryLockUser(trx: Transaction<Schema>, worldId: string, externalUserId: string): Promise<boolean> {
  const [row] = await tryLock(trx, { key: lockKey(worldId, externalUserId) });
  return row?.taken === true;
}

/** Makes all transactions that count one thing run one after the other. Take it after the user. */
export async function lockCounter(
  trx: Transaction<Schema>,
  worldId: string,
  name: string,
  subject: string,
): Promise<void> {
  await takeLock(trx, { key: lockKey('counter', worldId, name, subject) });
}

/**
 * Makes the erasures of a world run one after the other: each changes rows of other users, whose own erasure would wait
 * for it while it waits for theirs. Take it after the user.
 */
export async function lockErasures(trx: Transaction<Schema>, worldId: string): Promise<void> {
  await takeLock(trx, { key: lockKey('erasure', worldId) });
}

/** 64 bits of a hash, as a signed number in decimals; that two users share one costs them a moment, and no more. */
function lockKey(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest().readBigInt64BE().toString();
}
