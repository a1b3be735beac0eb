import { randomBytes } from 'node:crypto';
import { isTokenMark, tokenMark } from './token-mark.js';
import type { Vault } from './vault.js';

/** How long a link to the managed challenge page is good. */
export const linkLifetimeSeconds = 300;

/** What a link says: whose challenge it opens, and who asked for it. */
export interface ChallengeLink {
  readonly worldId: string;
  /** Whether a publishable key asked for it: then nothing is known of who opens it. */
  readonly isClaim: boolean;
}

const purpose = 'challenge-link';
const randomLength = 16;
/** World, the second at which it ends, who asked, something random, and the mark over them. */
const format = /^([0-9a-f-]{36})\.(\d{1,12})\.([cs])\.([\w-]{22})\.([\w-]{43})$/;

/**
 * The token of a link to one challenge's page, under a mark (HMAC-SHA-256) that only the service can make. Nothing is
 * kept of it until it is used.
 */
export function signChallengeLink(
  vault: Vault,
  { challengeId, worldId, isClaim }: ChallengeLink & { readonly challengeId: string },
  now: Date,
): string {
  const seconds = Math.floor(now.getTime() / 1000) + linkLifetimeSeconds;
  const random = randomBytes(randomLength).toString('base64url');
  const claims = `${worldId}.${seconds}.${isClaim ? 'c' : 's'}.${random}`;
  return `${claims}.${tokenMark(vault, purpose, `${challengeId}.${claims}`).toString('base64url')}`;
}

/** What a token says; undefined where it is of another challenge, none of ours, was changed, or is too old. */
export function verifyChallengeLink(
  vault: Vault,
  challengeId: string,
  token: string,
  now: Date,
): ChallengeLink | undefined {
  const [, worldId, seconds, kind, random, mark] = format.exec(token) ?? [];
  if (!worldId || !seconds || !kind || !random || !mark) return undefined;
  const given = Buffer.from(mark, 'base64url');
  // Written in one way only: two spellings of one link could be used one after the other.
  if (given.toString('base64url') !== mark) return undefined;
  const claims = `${worldId}.${seconds}.${kind}.${random}`;
  if (!isTokenMark(vault, purpose, given, `${challengeId}.${claims}`)) return undefined;
  return new Date(Number(seconds) * 1000) > now ? { worldId, isClaim: kind === 'c' } : undefined;
}
