import type { KeyScope } from '../ground/vocabulary.js';
import type { Endpoint } from './endpoint.js';

/**
 * Returns the scopes that allow a secret key to call an endpoint. One of them is enough. This is the only place that
 * decides it: requests, docs/access.md and the OpenAPI document follow.
 */
export function scopesFor({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): readonly KeyScope[] {
  if (scope === 'manage') return ['manage'];
  if (scope === 'manage_or_read') return ['manage', 'read'];
  return method === 'get' || scope === 'read' ? ['evaluate', 'read'] : ['evaluate'];
}

/** Returns scopes in words: "`evaluate` or `read`". */
export function scopesInWords(scopes: readonly string[], conjunction: 'and' | 'or'): string {
  return scopes.map((scope) => `\`${scope}\``).join(` ${conjunction} `);
}
