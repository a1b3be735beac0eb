import type { Metadata } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';

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

/**
 * Returns metadata with changes merged in, as JSON for the database.
 *
 * @throws {ApiError} `invalid_request` if it would be too large.
 */
export function mergedMetadata(current: Metadata, changes: Metadata): string {
  const merged = mergeMetadata(current, changes);
  if (isTooLarge(merged)) {
    const message = `would exceed ${metadataBytes} bytes in total; remove keys by setting them to null`;
    throw new ApiError('invalid_request', { errors: [{ path: 'metadata', message }] });
  }
  return JSON.stringify(merged);
}
