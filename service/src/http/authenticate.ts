import { ApiError } from '../ground/errors.js';
import { findCaller, type KeyCaller } from '../resources/projects/projects.js';
import type { Caller, Service } from '../resources/service.js';
import type { Endpoint } from './endpoint.js';
import { scopesFor, scopesInWords } from './scopes.js';

/** Returns the key in `Authorization: Bearer …` (RFC 6750), if any. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1];
}

/**
 * Returns the caller that a key belongs to.
 *
 * @throws {ApiError} `unauthorized`; `forbidden` for a publishable key if the endpoint requires a secret key;
 *   `insufficient_scope` for a secret key that may not call the endpoint.
 */
export async function authenticate(
  service: Service,
  key: string | undefined,
  endpoint: Pick<Endpoint, 'keys' | 'method' | 'scope'>,
): Promise<Caller> {
  if (key === undefined) {
    throw new ApiError('unauthorized', { detail: 'Send a key as "Authorization: Bearer <key>".' });
  }
  const caller = await findCaller(service, key);
  if (!caller) throw new ApiError('unauthorized', { detail: 'The key is unknown or no longer valid.' });
  const { keys = 'secret' } = endpoint;
  if (keys === 'secret' && caller.kind === 'publishable') {
    throw new ApiError('forbidden', { detail: 'This endpoint requires a secret key. The key is publishable.' });
  }
  if (caller.kind === 'secret') requireScope(caller, scopesFor(endpoint));
  return caller;
}

function requireScope({ scopes }: KeyCaller, sufficient: readonly string[]): void {
  if (scopes.some((scope) => sufficient.includes(scope))) return;
  const needed = `This endpoint requires a key with the scope ${scopesInWords(sufficient, 'or')}.`;
  throw new ApiError('insufficient_scope', { detail: `${needed} The key has ${scopesInWords(scopes, 'and')}.` });
}
