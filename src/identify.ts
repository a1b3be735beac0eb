import { getHash, type HashPair } from './get-hash.js';
import type { GetHashOptions } from './options.js';

let warned = false;

/**
 * The older name of `getHash`. Warns once on the console.
 *
 * @deprecated Call `getHash` (interface specification, part 9).
 */
export function identify(options?: GetHashOptions): Promise<HashPair> {
  if (!warned) console.warn('whorl: identify() is deprecated, call getHash() instead.');
  warned = true;
  return getHash(options);
}
