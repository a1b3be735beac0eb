import { ApiError } from '../ground/errors.js';

/** Returns the `ETag` header of a version. */
export function etagOf(version: string): string {
  return `"${version}"`;
}

/**
 * Returns whether a version is one that an `If-Match` header names (RFC 9110, section 13.1.1).
 *
 * @throws {ApiError} `precondition_required` if there is no header.
 */
export function readIfMatch(ifMatch: string | undefined): (version: string) => boolean {
  if (ifMatch === undefined || ifMatch.trim() === '') {
    throw new ApiError('precondition_required', { detail: 'Send the `ETag` of what you read as `If-Match`.' });
  }
  if (ifMatch.trim() === '*') return () => true;
  // A proxy that compresses responses makes their tags weak. The versions are exact, so weak ones are as good.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return (version) => tags.includes(etagOf(version));
}
