import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from './schema/index.js';
import { sentWithNext, statement } from './statement.js';
import { takeUserTurn } from './user-turns.js';

const takeLock = sentWithNext<{ key: string }>()`select pg_advisory_xact_lock(${'key'}::bigint)`;

/**
 * Serialises transactions that concern one user, until this one ends. The lock is sent with the next statement, which
 * waits for it. The user need not exist yet. Take this lock first: with rows locked before it, two transactions could
 * deadlock.
 */
export async function lockUser(trx: Transaction<Schema>, worldId: string, externalUserId: string): Promise<void> {
  const key = lockKey(worldId, externalUserId);
  takeUserTurn(trx, key);
  await takeLock(trx, { key });
}

const tryLock = statement<{ key: string }, { taken: boolean }>()`
  select pg_try_advisory_xact_lock(${'key'}::bigint) as taken`;

/**
 * Locks another user unless a transaction already holds that lock; returns whether it was locked. For transactions that
 * already hold a user's lock: waiting for a second one could deadlock.
 */
export async function tryLockUser(trx: Transaction<Schema>, worldId: string, externalUserId: string): Promise<boolean> {
  const [row] = await tryLock(trx, { key: lockKey(worldId, externalUserId) });
  return row?.taken === true;
}

/** Serialises transactions that change one counter. Take this lock after the user's. */
export async function lockCounter(
  trx: Transaction<Schema>,
  worldId: string,
  name: string,
  subject: string,
): Promise<void> {
  await takeLock(trx, { key: lockKey('counter', worldId, name, subject) });
}

/**
 * Serialises erasures in a world: each changes rows of other users, so two erasures could wait for each other. Take
 * this lock after the user's.
 */
export async function lockErasures(trx: Transaction<Schema>, worldId: string): Promise<void> {
  await takeLock(trx, { key: lockKey('erasure', worldId) });
}

/** Returns 64 bits of a hash, as a signed decimal number. If two users share one, they only wait for each other. */
function lockKey(...parts: string[]): string {
  return hash('sha256', parts.join('\n'), 'buffer').readBigInt64BE().toString();
}
