/** Settings that lists replaced, with the entries that take their place. */
const replacedByLists: ReadonlyMap<string, string> = new Map([
  ['blocked_addresses', 'of the kind `address` with the effect `block`'],
  ['allowed_addresses', 'of the kind `address` with the effect `allow`'],
  ['allowed_users', 'of the kind `user` with the effect `allow`'],
]);

/** Returns what replaced a setting of an older version, as a phrase after its name; undefined if nothing did. */
export function replacedSetting(name: string): string | undefined {
  const entries = replacedByLists.get(name);
  return entries && `was replaced by lists: add entries ${entries} (docs/lists.md)`;
}
