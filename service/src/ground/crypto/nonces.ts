import { randomBytes } from 'node:crypto';
import { minuteSeconds } from '../time.js';
import { isTokenSignature, tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Lifetime of a nonce, in seconds. */
const nonceLifetimeSeconds = 5 * minuteSeconds;

/** Contents of a nonce that this service issued. */
export interface Nonce {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const purpose = 'proof-nonce';
const timeBytes = 6;
const randomLength = 16;
const macBytes = 32;

/**
 * Returns a nonce for one world. It contains its time of issue and a signature (HMAC-SHA-256), so nothing is stored
 * until it is used.
 */
export function createNonce(vault: Vault, worldId: string, now: Date): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(now.getTime(), 0, timeBytes);
  const body = Buffer.concat([time, randomBytes(randomLength)]);
  return Buffer.concat([body, tokenSignature(vault, purpose, worldId, body)]).toString('base64url');
}

/**
 * Returns the contents of a nonce; undefined if it was not issued here for this world. Does not check whether it has
 * expired.
 */
export function readNonce(vault: Vault, worldId: string, nonce: string): Nonce | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  // Accepts only the canonical encoding. Otherwise one nonce could be used twice, in two spellings.
  if (bytes.length !== timeBytes + randomLength + macBytes || bytes.toString('base64url') !== nonce) return undefined;
  const body = bytes.subarray(0, -macBytes);
  if (!isTokenSignature(vault, purpose, bytes.subarray(-macBytes), worldId, body)) return undefined;
  const issuedAt = body.readUIntBE(0, timeBytes);
  return { issuedAt: new Date(issuedAt), expiresAt: expiryOf(new Date(issuedAt)) };
}

/** Returns when a nonce expires. */
export function expiryOf(issuedAt: Date): Date {
  return new Date(issuedAt.getTime() + nonceLifetimeSeconds * 1000);
}
