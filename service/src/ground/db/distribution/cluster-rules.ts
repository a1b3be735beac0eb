/** Oldest major version of Citus with which the service was tested. */
const OLDEST_CITUS = 13;

/** What must be true of a PostgreSQL server before the tables can be distributed. */
export interface Cluster {
  /** Version of the extension that the server offers. Undefined if Citus is not installed. */
  readonly offered: string | undefined;
  /** Version of the extension in this database. Undefined before `create extension citus`. */
  readonly installed: string | undefined;
  /** Nodes that the coordinator knows. Empty without the extension. */
  readonly nodes: readonly ClusterNode[];
  readonly isCoordinator: boolean;
}

export interface ClusterNode {
  /** Host and port. */
  readonly name: string;
  readonly isCoordinator: boolean;
  /** Whether it stores rows of worlds. */
  readonly hasShards: boolean;
  /** Whether the coordinator reaches it. */
  readonly isReachable: boolean;
  /** Its settings that matter. Undefined if it cannot be reached. */
  readonly settings: { readonly maxPreparedTransactions: number; readonly walLevel: string } | undefined;
}

/** Returns what has to be done before the tables can be distributed. */
export function problemsOf({ offered, installed, nodes, isCoordinator }: Cluster): string[] {
  if (offered === undefined) {
    return [
      'Citus is not installed on this PostgreSQL server. Install it on all nodes, and set shared_preload_libraries to citus.',
    ];
  }
  if (installed === undefined) return ['Run "create extension citus" in this database, on all nodes.'];
  if (Number.parseInt(installed, 10) < OLDEST_CITUS) {
    return [`This database has version ${installed} of Citus, and ${OLDEST_CITUS} is the oldest that is supported.`];
  }
  if (!nodes.some((node) => node.isCoordinator)) {
    return [
      'The coordinator does not know its own address: run "select citus_set_coordinator_host(\'<host>\')" there.',
    ];
  }
  if (!isCoordinator) return ['DATABASE_URL leads to a worker. Set it to the address of the coordinator.'];
  const problems = nodes.flatMap(problemsOfNode);
  if (!nodes.some(({ hasShards }) => hasShards)) {
    problems.push('There are no workers: run "select citus_add_node(\'<host>\', 5432)" on the coordinator for each.');
  }
  return problems;
}

function problemsOfNode({ name, isReachable, settings }: ClusterNode): string[] {
  if (!isReachable || !settings) return [`The coordinator cannot reach ${name}, or not in both directions.`];
  if (settings.maxPreparedTransactions > 0) return [];
  return [`Set max_prepared_transactions of ${name} to twice its max_connections: a change on several nodes needs it.`];
}

/** Returns what works, but should be changed. */
export function warningsOf({ nodes }: Cluster): string[] {
  const others = nodes.filter(({ settings }) => settings && settings.walLevel !== 'logical').map(({ name }) => name);
  if (others.length === 0) return [];
  return [
    `Set wal_level to logical on ${others.join(', ')}: without it, moving a project blocks its writes meanwhile.`,
  ];
}
