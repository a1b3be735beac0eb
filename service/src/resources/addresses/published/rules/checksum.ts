const line = /^([0-9a-f]{64})(?:[ \t]+\*?(\S.*))?$/i;

/**
 * Returns the SHA-256 of a file from the text that its publisher provides: `<hex>`, or `<hex>  <name>` as written by
 * sha256sum(1). If it contains several, the one of the file's name counts. Returns undefined if there is none.
 */
export function findChecksum(text: string, fileName: string): string | undefined {
  const entries = text.split(/\r?\n/).flatMap((each) => {
    const [, hash, name] = line.exec(each.trim()) ?? [];
    return hash === undefined ? [] : [{ hash: hash.toLowerCase(), name }];
  });
  const entry = entries.length === 1 ? entries[0] : entries.find(({ name }) => name === fileName);
  return entry?.hash;
}
