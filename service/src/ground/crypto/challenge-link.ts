import { randomBytes } from 'node:crypto';
import { minuteSeconds } from '../time.js';
import { isTokenSignature, tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Lifetime of a link to the managed challenge page, in seconds. */
const linkLifetimeSeconds = 5 * minuteSeconds;

/** Contents of a verified link. */
export interface ChallengeLink {
  readonly worldId: string;
  /** Whether a publishable key requested the link. If so, nothing is known about the person who opens it. */
  readonly isClaim: boolean;
}

const purpose = 'challenge-link';
const randomLength = 16;
/** World, expiry (seconds since 1970), who requested it, random part, and signature. */
const format = /^([0-9a-f-]{36})\.(\d{1,12})\.([cs])\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Returns a signed token (HMAC-SHA-256) for a link to one challenge's page. Nothing is stored until the link is used.
 */
export function signChallengeLink(
  vault: Vault,
  { challengeId, worldId, isClaim }: ChallengeLink & { readonly challengeId: string },
  now: Date,
): string {
  const seconds = Math.floor(now.getTime() / 1000) + linkLifetimeSeconds;
  const random = randomBytes(randomLength).toString('base64url');
  const payload = `${worldId}.${seconds}.${isClaim ? 'c' : 's'}.${random}`;
  return `${payload}.${tokenSignature(vault, purpose, `${challengeId}.${payload}`).toString('base64url')}`;
}

/**
 * Returns the contents of a token; undefined if it was issued for another challenge or by another service, was changed,
 * or has expired.
 */
export function verifyChallengeLink(
  vault: Vault,
  challengeId: string,
  token: string,
  now: Date,
): ChallengeLink | undefined {
  const [, worldId, seconds, kind, random, signature] = format.exec(token) ?? [];
  if (!worldId || !seconds || !kind || !random || !signature) return undefined;
  const signatureBytes = Buffer.from(signature, 'base64url');
  // Accepts only the canonical encoding. Otherwise one link could be used twice, in two spellings.
  if (signatureBytes.toString('base64url') !== signature) return undefined;
  const payload = `${worldId}.${seconds}.${kind}.${random}`;
  if (!isTokenSignature(vault, purpose, signatureBytes, `${challengeId}.${payload}`)) return undefined;
  return new Date(Number(seconds) * 1000) > now ? { worldId, isClaim: kind === 'c' } : undefined;
}
