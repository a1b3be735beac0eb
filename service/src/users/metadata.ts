import type { Metadata } from 'whorl/wire';
import { ApiError } from '../errors.js';
import { isTooLarge, mergeMetadata, metadataBytes } from './rules/metadata.js';

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
