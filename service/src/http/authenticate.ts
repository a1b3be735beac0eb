import { ApiError } from '../ground/errors.js';
import { findCaller } from '../resources/projects/projects.js';
import type { Caller, Service } from '../resources/service.js';

/** Returns the key in `Authorization: Bearer …` (RFC 6750), if any. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1];
}

/** @throws {ApiError} `unauthorized`, or `forbidden` for a publishable key if a secret key is required. */
export async function authenticate(service: Service, key: string | undefined, keys: 'secret' | 'any'): Promise<Caller> {
  if (key === undefined) {
    throw new ApiError('unauthorized', { detail: 'Send a key as "Authorization: Bearer <key>".' });
  }
  const caller = await findCaller(service, key);
  if (!caller) throw new ApiError('unauthorized', { detail: 'The key is unknown or no longer valid.' });
  if (keys === 'secret' && caller.kind === 'publishable') {
    throw new ApiError('forbidden', { detail: 'This endpoint requires a secret key. The key is publishable.' });
  }
  return caller;
}
