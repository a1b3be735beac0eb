import type { LinkRow } from './links.js';

/** Accounts that are linked to each other, directly or through others. */
export interface Cluster {
  readonly userIds: readonly string[];
  readonly rows: readonly LinkRow[];
}

/** Returns the clusters with at least a number of accounts, the largest first. */
export function clustersOf(rows: readonly LinkRow[], minAccounts: number): Cluster[] {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root)) {
      root = parent;
    }
    // Shortens the path for the next look-up.
    for (let at = node; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const { kind, value, user_id } of rows) {
    const thing = rootOf(`${kind} ${value}`);
    const user = rootOf(user_id);
    if (thing !== user) parents.set(thing, user);
  }
  const clusters = new Map<string, LinkRow[]>();
  for (const row of rows) {
    const root = rootOf(row.user_id);
    const members = clusters.get(root);
    if (members) members.push(row);
    else clusters.set(root, [row]);
  }
  return [...clusters.values()]
    .map((members) => ({ userIds: [...new Set(members.map(({ user_id }) => user_id))], rows: members }))
    .filter(({ userIds }) => userIds.length >= minAccounts)
    .sort((one, other) => other.userIds.length - one.userIds.length);
}
