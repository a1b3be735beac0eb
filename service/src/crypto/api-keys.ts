import { createHash, randomInt } from 'node:crypto';

export type KeyKind = 'secret' | 'publishable';
export type KeyMode = 'live' | 'test';

const prefixes = { secret: 'sk', publishable: 'pk' } as const;
/** Letters and digits alone, so that a double click takes the whole key. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters hold 256 bits, 22 hold 131. A publishable key is no secret: it only must not be met by guessing. */
const lengths = { secret: 43, publishable: 22 } as const;

/** A new key: `sk_live_…`, `sk_test_…`, `pk_live_…` or `pk_test_…`. */
export function createApiKey(kind: KeyKind, mode: KeyMode): string {
  const random = Array.from({ length: lengths[kind] }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${prefixes[kind]}_${mode}_${random}`;
}

/**
 * What is stored of a key made by `createApiKey`, and what it is found by: SHA-256, 32 bytes. A slow hash is for what
 * people think up; there is no trying out of 256 random bits, and each request would have to wait for it.
 */
export function hashSecret(apiSecret: string): Buffer {
  return createHash('sha256').update(apiSecret, 'utf8').digest();
}
