import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/index.js';
import type { Cluster, ClusterNode } from './cluster-rules.js';

/** Returns what the server says about Citus and its nodes. */
export async function readCluster(db: Kysely<Schema>): Promise<Cluster> {
  const { rows } = await sql<{ offered: string; installed: string | null }>`
    select default_version as offered, installed_version as installed from pg_available_extensions where name = 'citus'
  `.execute(db);
  const [extension] = rows;
  const installed = extension?.installed ?? undefined;
  const known = { offered: extension?.offered, installed };
  if (installed === undefined) return { ...known, nodes: [], isCoordinator: false };
  const { rows: coordinator } = await sql<{ is: boolean }>`select citus_is_coordinator() as is`.execute(db);
  return { ...known, nodes: await readNodes(db), isCoordinator: coordinator[0]?.is === true };
}

/** Returns whether a table is distributed. */
export async function isDistributed(db: Kysely<Schema>, table: string): Promise<boolean> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('pg_dist_partition') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return false;
  const { rows: found } = await sql<{ is: boolean }>`
    select exists (select from pg_dist_partition where logicalrelid = to_regclass(${table}::text) and partmethod = 'h') as is
  `.execute(db);
  return found[0]?.is === true;
}

async function readNodes(db: Kysely<Schema>): Promise<ClusterNode[]> {
  const { rows } = await sql<{
    name: string;
    isCoordinator: boolean;
    hasShards: boolean;
    isReachable: boolean;
    settings: string | null;
  }>`
    with health as (select * from citus_check_cluster_node_health()),
      answers as (select * from run_command_on_all_nodes(
        $$select current_setting('max_prepared_transactions') || ' ' || current_setting('wal_level')$$))
    select n.nodename || ':' || n.nodeport as name, n.groupid = 0 as "isCoordinator", n.shouldhaveshards as "hasShards",
      not exists (
        select from health h where h.result is not true
          and (n.nodename, n.nodeport) in ((h.from_nodename, h.from_nodeport), (h.to_nodename, h.to_nodeport))
      ) as "isReachable",
      (select a.result from answers a where a.nodeid = n.nodeid and a.success) as settings
    from pg_dist_node n where n.isactive and n.noderole = 'primary' order by n.groupid
  `.execute(db);
  return rows.map(({ settings, ...node }) => ({ ...node, settings: parseSettings(settings) }));
}

function parseSettings(text: string | null): ClusterNode['settings'] {
  const [prepared, walLevel] = text?.split(' ') ?? [];
  return prepared && walLevel ? { maxPreparedTransactions: Number(prepared), walLevel } : undefined;
}
