import { statement } from '../../ground/db/statement.js';
import type { Database, Transaction } from '../../resources/service.js';
import type { Baseline } from './rules/baseline.js';

/** A baseline as it is stored, with four bytes for each network. */
type Stored = Omit<Baseline, 'networks'> & { readonly networks: Uint8Array };

const selectBaseline = statement<{ worldId: string }, Stored>()`
  select started_at as "startedAt", updated_at as "updatedAt", per_hour as "perHour", excess,
    rising_since as "risingSince", failures, networks
  from failure_baselines where world_id = ${'worldId'}`;

/** Returns a project's baseline; undefined if it never had an unfamiliar failure. */
export async function findBaseline(db: Database, worldId: string): Promise<Baseline | undefined> {
  const [row] = await selectBaseline(db, { worldId });
  return row && unpacked(row);
}

const selectLockedBaseline = statement<{ worldId: string }, Stored>()`
  select started_at as "startedAt", updated_at as "updatedAt", per_hour as "perHour", excess,
    rising_since as "risingSince", failures, networks
  from failure_baselines where world_id = ${'worldId'} for update`;

/** Returns a project's baseline, locked until the end of the transaction. */
export async function lockBaseline(trx: Transaction, worldId: string): Promise<Baseline | undefined> {
  const [row] = await selectLockedBaseline(trx, { worldId });
  return row && unpacked(row);
}

const upsertBaseline = statement<Stored & { worldId: string }>()`
  insert into failure_baselines (world_id, started_at, updated_at, per_hour, excess, rising_since, failures, networks)
  values (
    ${'worldId'}, ${'startedAt'}, ${'updatedAt'}, ${'perHour'}, ${'excess'}, ${'risingSince'}, ${'failures'}, ${'networks'}
  )
  on conflict (world_id) do update set
    updated_at = excluded.updated_at, per_hour = excluded.per_hour, excess = excluded.excess,
    rising_since = excluded.rising_since, failures = excluded.failures, networks = excluded.networks`;

/** Stores a project's baseline. The first of two simultaneous ones may be lost. */
export async function saveBaseline(trx: Transaction, baseline: Baseline & { worldId: string }): Promise<void> {
  await upsertBaseline(trx, { ...baseline, networks: Buffer.from(Int32Array.from(baseline.networks).buffer) });
}

function unpacked(stored: Stored): Baseline {
  // A copy, because the driver's bytes may begin anywhere in its own memory.
  return { ...stored, networks: [...new Int32Array(Uint8Array.from(stored.networks).buffer)] };
}
