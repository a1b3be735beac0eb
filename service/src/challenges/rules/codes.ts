import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from 'whorl/wire';
import { minuteMs } from '../../ground/time.js';

/** Quotas and lifetime of codes (docs/messages.md). */
export const codeLimits = {
  lifetimeMinutes: 10,
  triesPerCode: 5,
  resendAfterSeconds: 30,
  sendsPerChallenge: 5,
  /** Counted by email address or phone number, across all challenges. */
  sendsPerAddressPerHour: 10,
  /** Counted across all challenges of a user. */
  wrongCodesPerUserPerHour: 10,
} as const;

/** Returns `size` random bytes from a cryptographic source, such as `randomBytes` of node:crypto. */
export type RandomSource = (size: number) => Uint8Array;

const codeCount = 1_000_000;

/** Largest multiple of the number of codes that fits into 32 bits. Accepting values above it would bias the codes. */
const uniformLimit = 2 ** 32 - (2 ** 32 % codeCount);

/** Returns a new code: 6 digits with leading zeros. All million codes are equally likely. */
export function createCode(random: RandomSource): string {
  for (;;) {
    const drawn = Buffer.from(random(4)).readUInt32BE();
    if (drawn < uniformLimit) return String(drawn % codeCount).padStart(6, '0');
  }
}

/**
 * Reads a code that a person typed or pasted, with optional spaces around it and a space or dash in the middle. Returns
 * undefined if the text is not a code.
 */
export function readCode(text: string): string | undefined {
  const [, first, second] = /^\s*([0-9]{3})[\s\p{Pd}]?([0-9]{3})\s*$/u.exec(text) ?? [];
  return first === undefined || second === undefined ? undefined : first + second;
}

/**
 * Returns the hash under which a code is stored: HMAC-SHA-256 of challenge and code. With a plain hash, someone who reads
 * the database could try all million codes in a second. Without the challenge, equal codes would have equal hashes.
 */
export function hashCode(code: string, challengeId: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${challengeId}:${code}`).digest();
}

/** Returns whether the typed code matches a hash. The comparison takes constant time. */
export function matchesCode(typed: string, challengeId: string, key: Uint8Array, hash: Uint8Array): boolean {
  const code = readCode(typed);
  return code !== undefined && isEqual(hashCode(code, challengeId, key), hash);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns the expiry of a code. */
export function codeExpiry(sentAt: Date): Date {
  return new Date(sentAt.getTime() + codeLimits.lifetimeMinutes * minuteMs);
}

/** Returns whether a code has expired, which it has exactly at its expiry. */
export function isCodeExpired(expiresAt: Date, now: Date): boolean {
  return now >= expiresAt;
}

/** The last code that was sent, as stored with the challenge. */
export interface StoredCode {
  readonly code_hash: Uint8Array | null;
  readonly code_expires_at: Date | null;
  /** Number of wrong attempts. */
  readonly code_tries: number;
}

/** Returns why a code cannot be tried; undefined if it can. */
export function refusalOfTry(
  { code_hash, code_expires_at, code_tries }: StoredCode,
  now: Date,
): Extract<ErrorCode, 'code_not_sent' | 'code_expired' | 'too_many_attempts'> | undefined {
  if (!code_hash || !code_expires_at) return 'code_not_sent';
  if (isCodeExpired(code_expires_at, now)) return 'code_expired';
  return code_tries >= codeLimits.triesPerCode ? 'too_many_attempts' : undefined;
}

/** Returns the number of attempts that remain after a number of wrong ones. */
export function attemptsRemaining(wrongTries: number): number {
  return Math.max(0, codeLimits.triesPerCode - wrongTries);
}

/** Codes that were sent for a challenge. */
export interface SentCodes {
  readonly sends: number;
  readonly sent_at: Date | null;
  /** Time until which a code that is being sent prevents others. */
  readonly sending_until: Date | null;
}

/** Reason why no code can be sent now. Without `retryAfterSeconds`, waiting does not help. */
export interface SendRefusal {
  readonly reason: string;
  readonly retryAfterSeconds?: number;
}

/** Returns why no further code can be sent for a challenge; undefined if one can. */
export function refusalOfSend({ sends, sent_at, sending_until }: SentCodes, now: Date): SendRefusal | undefined {
  if (sending_until && sending_until > now) {
    return { reason: 'A code is being sent.', retryAfterSeconds: secondsUntil(sending_until, now) };
  }
  if (sends >= codeLimits.sendsPerChallenge) {
    return { reason: `At most ${codeLimits.sendsPerChallenge} codes can be sent per challenge.` };
  }
  const next = sent_at && new Date(sent_at.getTime() + codeLimits.resendAfterSeconds * 1000);
  if (next && next > now) {
    return {
      reason: `Only one code can be sent every ${codeLimits.resendAfterSeconds} seconds.`,
      retryAfterSeconds: secondsUntil(next, now),
    };
  }
  return undefined;
}

function secondsUntil(end: Date, now: Date): number {
  return Math.ceil((end.getTime() - now.getTime()) / 1000);
}
