import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from './vault.js';

type Part = string | Uint8Array;

/**
 * The mark (HMAC-SHA-256) under what the service gives out and reads again itself, with the vault's key for the purpose.
 * The parts are marked as they stand behind each other, so that only the last may vary in length.
 */
export function tokenMark(vault: Vault, purpose: string, ...parts: readonly Part[]): Buffer {
  return markOf(vault.keys(purpose)[0], parts);
}

/** Whether a mark was made here for the purpose, with any of the master secrets; in constant time. */
export function isTokenMark(vault: Vault, purpose: string, mark: Uint8Array, ...parts: readonly Part[]): boolean {
  return vault.keys(purpose).some((key) => timingSafeEqual(mark, markOf(key, parts)));
}

function markOf(key: Uint8Array, parts: readonly Part[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
