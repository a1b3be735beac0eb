/** How Citus stores a table. */
export interface Placement {
  readonly table: string;
  readonly kind: 'distributed' | 'copied' | 'local';
  /** Column by which it is distributed. */
  readonly column: string | null;
  /** Tables of one group have the rows of a world on the same node. */
  readonly group: number;
}

export interface PendingChanges {
  /** Tables to copy to all nodes. */
  readonly copied: readonly string[];
  readonly distributed: readonly string[];
  /** Tables that stay on the coordinator, and that Citus does not know yet. */
  readonly tracked: readonly string[];
  /** Tables that are distributed in another way, for example by hand. */
  readonly others: readonly string[];
}

/** Tables as they should be stored. */
interface Wanted {
  readonly copied: readonly string[];
  readonly distributed: readonly string[];
  /** On the coordinator only. */
  readonly tracked: readonly string[];
}

/** Compares how tables are stored with how they should be. */
export function pendingChanges(placements: readonly Placement[], wanted: Wanted): PendingChanges {
  const found = new Map(placements.map((placement) => [placement.table, placement]));
  const isLocal = (table: string) => (found.get(table)?.kind ?? 'local') === 'local';
  const group = wanted.distributed.map((table) => found.get(table)).find((each) => each?.kind === 'distributed')?.group;
  const isOther = (table: string) => {
    const placement = found.get(table);
    if (!placement || isLocal(table)) return false;
    return placement.kind === 'copied' || placement.column !== 'world_id' || placement.group !== group;
  };
  return {
    copied: wanted.copied.filter(isLocal),
    distributed: wanted.distributed.filter(isLocal),
    tracked: wanted.tracked.filter((table) => !found.has(table)),
    others: [
      ...wanted.copied.filter((table) => found.get(table)?.kind === 'distributed'),
      ...wanted.distributed.filter(isOther),
      ...wanted.tracked.filter((table) => found.has(table) && !isLocal(table)),
    ],
  };
}
