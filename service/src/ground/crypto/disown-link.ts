import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Challenge that a person can disown. */
export interface DisownLink {
  readonly worldId: string;
  readonly challengeId: string;
}

/** Message about a device or a contact, whose receiver can say that it was not them. */
export interface NoticeLink {
  readonly worldId: string;
  readonly noticeId: string;
}

type Purpose = 'disown-link' | 'notice-link';

/** Bytes of the signature, and of an ID. Messages are short, so the signature is truncated to 96 bits. */
const signatureLength = 12;
const idLength = 16;
const format = /^[\w-]{59}$/;

/**
 * Returns the token of a link that disowns a challenge: its world's ID and its own, and a truncated signature
 * (HMAC-SHA-256). Nothing is stored. It is useless once the challenge has ended.
 */
export function signDisownLink(vault: Vault, { worldId, challengeId }: DisownLink): string {
  return sign(vault, 'disown-link', [worldId, challengeId]);
}

/** Returns the contents of a token; undefined if it was not issued here. */
export function readDisownLink(vault: Vault, token: string): DisownLink | undefined {
  const read = verify(vault, 'disown-link', token);
  return read && { worldId: read[0], challengeId: read[1] };
}

/** Returns the token of the link in a message, in the same form. The message's row says whether it was used. */
export function signNoticeLink(vault: Vault, { worldId, noticeId }: NoticeLink): string {
  return sign(vault, 'notice-link', [worldId, noticeId]);
}

/** Returns the contents of a token; undefined if it was not issued here. */
export function readNoticeLink(vault: Vault, token: string): NoticeLink | undefined {
  const read = verify(vault, 'notice-link', token);
  return read && { worldId: read[0], noticeId: read[1] };
}

function sign(vault: Vault, purpose: Purpose, [world, id]: readonly [string, string]): string {
  const ids = Buffer.concat([parse(world), parse(id)]);
  return Buffer.concat([ids, signatureOf(vault, purpose, ids)]).toString('base64url');
}

function verify(vault: Vault, purpose: Purpose, token: string): readonly [string, string] | undefined {
  if (!format.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * idLength);
  if (!timingSafeEqual(bytes.subarray(2 * idLength), signatureOf(vault, purpose, ids))) return undefined;
  return [stringify(ids.subarray(0, idLength)), stringify(ids.subarray(idLength))];
}

function signatureOf(vault: Vault, purpose: Purpose, ids: Buffer): Buffer {
  return tokenSignature(vault, purpose, ids).subarray(0, signatureLength);
}
