import { createHash, randomInt } from 'node:crypto';

export type KeyKind = 'secret' | 'publishable';
export type KeyMode = 'live' | 'test';

const prefixes = { secret: 'sk', publishable: 'pk' } as const;
/** Letters and digits only, so that a double click selects the whole key. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters hold 256 bits, 22 hold 131. A publishable key is not secret; it only has to be hard to guess. */
const lengths = { secret: 43, publishable: 22 } as const;

/** Returns a new random key: `sk_live_…`, `sk_test_…`, `pk_live_…` or `pk_test_…`. */
export function createApiKey(kind: KeyKind, mode: KeyMode): string {
  const random = Array.from({ length: lengths[kind] }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${prefixes[kind]}_${mode}_${random}`;
}

/**
 * Returns the hash (SHA-256, 32 bytes) under which a key from `createApiKey` is stored and looked up. A slow password
 * hash would add nothing: 256 random bits cannot be guessed, and every request would wait for it.
 */
export function hashSecret(apiSecret: string): Buffer {
  return createHash('sha256').update(apiSecret, 'utf8').digest();
}
