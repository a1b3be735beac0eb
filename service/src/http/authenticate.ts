import { ApiError } from '../errors.js';
import { findCaller } from '../projects/projects.js';
import type { Caller, Service } from '../service.js';

/** The key in `Authorization: Bearer …` (RFC 6750); undefined where there is none. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1];
}

/** @throws {ApiError} `unauthorized`, or `forbidden` for a publishable key where a secret one is needed. */
export async function authenticate(service: Service, key: string | undefined, keys: 'secret' | 'any'): Promise<Caller> {
  if (key === undefined) {
    throw new ApiError('unauthorized', { detail: 'Send a key as "Authorization: Bearer <key>".' });
  }
  const caller = await findCaller(service, key);
  if (!caller) throw new ApiError('unauthorized', { detail: 'The key is not known, or has ended.' });
  if (keys === 'secret' && caller.kind === 'publishable') {
    throw new ApiError('forbidden', { detail: 'This needs a secret key, and the key is a publishable one.' });
  }
  return caller;
}
