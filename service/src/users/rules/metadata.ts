import type { Metadata } from 'whorl/wire';

/** Maximum size of one record's metadata, as JSON in UTF-8. */
export const metadataBytes = 16 * 1024;

/** Merges changes key by key, at the top level only: null removes a key, any other value replaces the previous one. */
export function mergeMetadata(current: Metadata, changes: Metadata): Metadata {
  // Built from entries, because an assignment to `__proto__` would not create a key.
  const merged = new Map([...Object.entries(current), ...Object.entries(changes)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}

export function isTooLarge(metadata: Metadata): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes;
}
