import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../../operator-error.js';
import { addForeignKeys, dropForeignKeys, listForeignKeys } from '../foreign-key-queries.js';
import type { Schema } from '../schema/index.js';
import { copiedTables, trackedTables, worldTables } from '../schema/tables.js';
import { isDistributed, readCluster } from './cluster-queries.js';
import { problemsOf, warningsOf } from './cluster-rules.js';
import { readPlacements } from './placement-queries.js';
import { type PendingChanges, pendingChanges } from './placement-rules.js';

/** Table whose parts decide where the rows of a world are in all others. */
const [FIRST_TABLE] = worldTables;

const wantedTables = { copied: copiedTables, distributed: worldTables, tracked: trackedTables };

type Report = (line: string) => void;

export interface DistributeOptions {
  /** Number of parts of each table; a world is in one of them. Applies to the first time only. */
  readonly shards: number;
  /** Whether to change nothing. */
  readonly dryRun: boolean;
  readonly report: Report;
}

/**
 * Distributes the tables of worlds over the nodes of a Citus cluster, by world, and copies the small tables that they
 * refer to. All tables that are not distributed yet change in one transaction, which locks them.
 *
 * @returns the number of tables that changed, or would change.
 * @throws OperatorError if the cluster is not ready, or tables are distributed in another way.
 */
export async function distribute(db: Kysely<Schema>, { shards, dryRun, report }: DistributeOptions): Promise<number> {
  const cluster = await readCluster(db);
  const problems = problemsOf(cluster);
  if (problems.length > 0) throw new OperatorError(['The tables cannot be distributed:', ...problems].join('\n- '));
  for (const warning of warningsOf(cluster)) report(warning);
  if (!dryRun) return distributePending(db, shards, report);
  const { copied, distributed, tracked } = await readPending(db);
  for (const table of tracked) report(`${table}: would stay on the coordinator, known to Citus`);
  for (const table of copied) report(`${table}: would be copied to all nodes`);
  for (const table of distributed) report(`${table}: would be distributed`);
  return copied.length + distributed.length + tracked.length;
}

/** Distributes tables that a migration has just created. Does nothing if no other table is distributed. */
export async function distributeNewTables(db: Kysely<Schema>): Promise<void> {
  if (await isDistributed(db, FIRST_TABLE)) await distributePending(db, 0, () => undefined);
}

async function readPending(db: Kysely<Schema>): Promise<PendingChanges> {
  const pending = pendingChanges(await readPlacements(db), wantedTables);
  if (pending.others.length === 0) return pending;
  throw new OperatorError(
    `These tables are distributed in another way: ${pending.others.join(', ')}. Undo it with "select undistribute_table(...)".`,
  );
}

function distributePending(db: Kysely<Schema>, shards: number, report: Report): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    // Otherwise, a transaction that has changed several parts at once may no longer refer to copied tables.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
    const { copied, distributed, tracked } = await readPending(trx);
    for (const table of tracked) {
      await sql`select citus_add_local_table_to_metadata(${table})`.execute(trx);
      report(`${table}: known to Citus`);
    }
    const changed = [...copied, ...distributed];
    // Citus distributes a table only after those that it refers to, and some refer to each other.
    const keys = (await listForeignKeys(trx)).filter(
      ({ table, referenced }) => changed.includes(table) || changed.includes(referenced),
    );
    await dropForeignKeys(trx, keys);
    for (const table of copied) {
      await sql`select create_reference_table(${table})`.execute(trx);
      report(`${table}: copied to all nodes`);
    }
    for (const table of distributed) {
      const place = table === FIRST_TABLE ? sql`shard_count => ${shards}` : sql`colocate_with => ${FIRST_TABLE}`;
      await sql`select create_distributed_table(${table}, 'world_id', ${place})`.execute(trx);
      report(`${table}: distributed`);
    }
    await addForeignKeys(trx, keys);
    // The nodes have the rows now. Those in the coordinator's own tables would stay there, unseen.
    for (const table of changed) {
      await sql`select truncate_local_data_after_distributing_table(${table})`.execute(trx);
    }
    return changed.length + tracked.length;
  });
}
