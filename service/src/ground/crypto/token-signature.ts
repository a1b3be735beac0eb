import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from './vault.js';

type Part = string | Uint8Array;

/**
 * Returns the signature (HMAC-SHA-256) of a token that the service issues and later verifies itself, made with the
 * current master secret's key for the purpose. The parts are concatenated, so only the last may vary in length.
 */
export function tokenSignature(vault: Vault, purpose: string, ...parts: readonly Part[]): Buffer {
  return signatureOf(vault.signingKey(purpose), parts);
}

/**
 * Returns whether a signature was made for the purpose with the current master secret; in constant time. Signatures
 * made with an earlier secret are rejected, because that secret may have leaked.
 */
export function isTokenSignature(
  vault: Vault,
  purpose: string,
  signature: Uint8Array,
  ...parts: readonly Part[]
): boolean {
  return timingSafeEqual(signature, signatureOf(vault.signingKey(purpose), parts));
}

/** Does the same for the previous master secret. Returns false as soon as its signatures are no longer accepted. */
export function isPreviousTokenSignature(
  vault: Vault,
  { purpose, now }: { readonly purpose: string; readonly now: Date },
  signature: Uint8Array,
  ...parts: readonly Part[]
): boolean {
  const key = vault.previousSigningKey(purpose, now);
  return key !== undefined && timingSafeEqual(signature, signatureOf(key, parts));
}

function signatureOf(key: Uint8Array, parts: readonly Part[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
