import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Challenge that a person can disown. */
export interface DisownLink {
  readonly worldId: string;
  readonly challengeId: string;
}

const purpose = 'disown-link';
/** Bytes of the signature, and of an ID. Messages are short, so the signature is truncated to 96 bits. */
const signatureLength = 12;
const idLength = 16;
const format = /^[\w-]{59}$/;

/**
 * Returns the token of a link that disowns a challenge: its world's ID and its own, and a truncated signature
 * (HMAC-SHA-256). Nothing is stored. It is useless once the challenge has ended.
 */
export function signDisownLink(vault: Vault, { worldId, challengeId }: DisownLink): string {
  const ids = Buffer.concat([parse(worldId), parse(challengeId)]);
  return Buffer.concat([ids, signatureOf(vault, ids)]).toString('base64url');
}

/** Returns the contents of a token; undefined if it was not issued here. */
export function readDisownLink(vault: Vault, token: string): DisownLink | undefined {
  if (!format.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * idLength);
  if (!timingSafeEqual(bytes.subarray(2 * idLength), signatureOf(vault, ids))) return undefined;
  return { worldId: stringify(ids.subarray(0, idLength)), challengeId: stringify(ids.subarray(idLength)) };
}

function signatureOf(vault: Vault, ids: Buffer): Buffer {
  return tokenSignature(vault, purpose, ids).subarray(0, signatureLength);
}
