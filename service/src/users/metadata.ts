import type { Metadata } from 'whorl/wire';
import { ApiError } from '../errors.js';
import { isTooLarge, mergeMetadata, metadataBytes } from './rules/metadata.js';

/**
 * Returns metadata with changes merged in, as JSON.
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
