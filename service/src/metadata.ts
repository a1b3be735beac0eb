import type { Metadata } from 'whorl/wire';
import { ApiError } from './errors.js';

/** What one record's metadata may hold in all, as UTF-8 of its JSON. */
export const metadataBytes = 16 * 1024;

/** Merges key by key, at the top level only: null removes a key, any other value replaces the one before. */
export function mergeMetadata(current: Metadata, changes: Metadata): Metadata {
  // Built from entries: an assignment to `__proto__` would not make a key.
  const merged = new Map([...Object.entries(current), ...Object.entries(changes)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}

export function isTooLarge(metadata: Metadata): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes;
}

/**
 * Metadata with changes merged in, as it is written.
 *
 * @throws {ApiError} `invalid_request` where it would be too large.
 */
export function mergedMetadata(current: Metadata, changes: Metadata): string {
  const merged = mergeMetadata(current, changes);
  if (isTooLarge(merged)) {
    const message = `would hold more than ${metadataBytes} bytes in all; remove keys by setting them to null`;
    throw new ApiError('invalid_request', { errors: [{ path: 'metadata', message }] });
  }
  return JSON.stringify(merged);
}
