import { statement } from '../db/statement.js';
import type { Database, Transaction } from '../service.js';
import type { Baseline } from './rules/baseline.js';

const selectBaseline = statement<{ worldId: string }, Baseline>()`
  select started_at as "startedAt", updated_at as "updatedAt", per_hour as "perHour", excess,
    rising_since as "risingSince", failures
  from failure_baselines where world_id = ${'worldId'}`;

/** Returns a project's baseline; undefined if it never had a strange failure. */
export async function findBaseline(db: Database, worldId: string): Promise<Baseline | undefined> {
  const [row] = await selectBaseline(db, { worldId });
  return row;
}

const selectLockedBaseline = statement<{ worldId: string }, Baseline>()`
  select started_at as "startedAt", updated_at as "updatedAt", per_hour as "perHour", excess,
    rising_since as "risingSince", failures
  from failure_baselines where world_id = ${'worldId'} for update`;

/** Returns a project's baseline, locked until the end of the transaction. */
export async function lockBaseline(trx: Transaction, worldId: string): Promise<Baseline | undefined> {
  const [row] = await selectLockedBaseline(trx, { worldId });
  return row;
}

/** Stores a project's baseline. The first of two simultaneous ones may be lost. */
export const saveBaseline = statement<Baseline & { worldId: string }>()`
  insert into failure_baselines (world_id, started_at, updated_at, per_hour, excess, rising_since, failures)
  values (
    ${'worldId'}, ${'startedAt'}, ${'updatedAt'}, ${'perHour'}, ${'excess'}, ${'risingSince'}, ${'failures'}
  )
  on conflict (world_id) do update set
    updated_at = excluded.updated_at, per_hour = excluded.per_hour, excess = excluded.excess,
    rising_since = excluded.rising_since, failures = excluded.failures`;
