import type { Vault } from '../../ground/crypto/index.js';

/** Returns the blind indexes under which an address may be counted, the current one first. */
export function indexesOfAddress(vault: Vault, to: string, context: string): [string, ...string[]] {
  const [first, ...others] = vault.blindIndexes(to, context);
  return [first.toString('base64url'), ...others.map((index) => index.toString('base64url'))];
}
