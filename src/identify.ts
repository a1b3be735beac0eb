import { getHash, type HashPair } from './get-hash.js';
import type { GetHashOptions } from './options.js';

let warned = false;

/**
 * Resolves to the result of `getHash`, under its older name. Warns once on the console.
 *
 * @deprecated Call `getHash` (docs/package.md).
 */
export function identify(options?: GetHashOptions): Promise<HashPair> {
  if (!warned) console.warn('whorl: identify() is deprecated, call getHash() instead.');
  warned = true;
  return getHash(options);
}
