import { randomBytes } from 'node:crypto';
import { isTokenMark, tokenMark } from './token-mark.js';
import type { Vault } from './vault.js';

/** How long a nonce is good. */
export const nonceLifetimeSeconds = 300;

/** A nonce that was made here. */
export interface Nonce {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const purpose = 'proof-nonce';
const timeBytes = 6;
const randomLength = 16;
const macBytes = 32;

/**
 * A nonce for one world. It says when it was made, and is sealed with a key of the vault's (HMAC-SHA-256), so that
 * nothing has to be kept of it until it is spent.
 */
export function makeNonce(vault: Vault, worldId: string, now: Date): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(now.getTime(), 0, timeBytes);
  const body = Buffer.concat([time, randomBytes(randomLength)]);
  return Buffer.concat([body, tokenMark(vault, purpose, worldId, body)]).toString('base64url');
}

/** What a nonce says; undefined where it was not made here for this world. */
export function readNonce(vault: Vault, worldId: string, nonce: string): Nonce | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  // Written in one way only: two spellings of one nonce could be spent one after the other.
  if (bytes.length !== timeBytes + randomLength + macBytes || bytes.toString('base64url') !== nonce) return undefined;
  const body = bytes.subarray(0, -macBytes);
  if (!isTokenMark(vault, purpose, bytes.subarray(-macBytes), worldId, body)) return undefined;
  const issuedAt = body.readUIntBE(0, timeBytes);
  return { issuedAt: new Date(issuedAt), expiresAt: expiryOf(new Date(issuedAt)) };
}

/** When a nonce that is made now is over. */
export function expiryOf(issuedAt: Date): Date {
  return new Date(issuedAt.getTime() + nonceLifetimeSeconds * 1000);
}
