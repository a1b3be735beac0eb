import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from './vault.js';

type Part = string | Uint8Array;

/**
 * Returns the signature (HMAC-SHA-256) of something that the service issues and reads back itself, with the current master
 * secret's key for the purpose. The parts are signed as they stand one after the other, so only the last may vary in length.
 */
export function tokenMark(vault: Vault, purpose: string, ...parts: readonly Part[]): Buffer {
  return markOf(vault.signingKey(purpose), parts);
}

/**
 * Returns whether a signature was made for the purpose with the current master secret; in constant time. What an earlier
 * secret signed is refused: that secret may have leaked.
 */
export function isTokenMark(vault: Vault, purpose: string, mark: Uint8Array, ...parts: readonly Part[]): boolean {
  return timingSafeEqual(mark, markOf(vault.signingKey(purpose), parts));
}

/** Returns the same for the previous master secret; false as soon as its signatures are no longer accepted. */
export function isPreviousTokenMark(
  vault: Vault,
  { purpose, now }: { readonly purpose: string; readonly now: Date },
  mark: Uint8Array,
  ...parts: readonly Part[]
): boolean {
  const key = vault.previousSigningKey(purpose, now);
  return key !== undefined && timingSafeEqual(mark, markOf(key, parts));
}

function markOf(key: Uint8Array, parts: readonly Part[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
