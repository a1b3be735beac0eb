import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from 'whorl/wire';
import { minuteMs } from '../../time.js';

/** How codes are rationed, and how long one is good (docs/messages.md). */
export const codeLimits = {
  lifetimeMinutes: 10,
  triesPerCode: 5,
  resendAfterSeconds: 30,
  sendsPerChallenge: 5,
  /** To one mail address or phone number, over all challenges. */
  sendsPerAddressPerHour: 10,
  /** Over all challenges of a user. */
  wrongCodesPerUserPerHour: 10,
} as const;

/** So many random bytes from a cryptographic source, such as `randomBytes` of node:crypto. */
export type RandomSource = (size: number) => Uint8Array;

const codeCount = 1_000_000;

/** The largest multiple of the number of codes that fits into 32 bits: what is above would make some codes likelier. */
const evenCeiling = 2 ** 32 - (2 ** 32 % codeCount);

/** A new code: 6 digits, each of the million equally likely, zeros in front included. */
export function createCode(random: RandomSource): string {
  for (;;) {
    const drawn = Buffer.from(random(4)).readUInt32BE();
    if (drawn < evenCeiling) return String(drawn % codeCount).padStart(6, '0');
  }
}

/**
 * The code in what a person typed or pasted, which may have spaces around it, and a space or a dash in the middle.
 * Undefined where it is no code.
 */
export function readCode(text: string): string | undefined {
  const [, first, second] = /^\s*([0-9]{3})[\s\p{Pd}]?([0-9]{3})\s*$/u.exec(text) ?? [];
  return first === undefined || second === undefined ? undefined : first + second;
}

/**
 * What is stored of a code: HMAC-SHA-256 over challenge and code. With a plain hash, whoever reads the database would
 * have tried the million codes in a second; without the challenge, equal codes would be seen to be equal.
 */
export function hashCode(code: string, challengeId: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${challengeId}:${code}`).digest();
}

/** Whether a person typed the code that the hash is of. The comparison takes the same time wherever they differ. */
export function matchesCode(typed: string, challengeId: string, key: Uint8Array, hash: Uint8Array): boolean {
  const code = readCode(typed);
  return code !== undefined && isEqual(hashCode(code, challengeId, key), hash);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Until when a code is good that is sent now. */
export function codeExpiry(sentAt: Date): Date {
  return new Date(sentAt.getTime() + codeLimits.lifetimeMinutes * minuteMs);
}

/** Whether a code's time is over; it is at the very moment of its expiry. */
export function isCodeExpired(expiresAt: Date, now: Date): boolean {
  return now >= expiresAt;
}

/** The code that was sent last, as the challenge keeps it. */
export interface StandingCode {
  readonly code_hash: Uint8Array | null;
  readonly code_expires_at: Date | null;
  /** Wrong tries. A right one is not counted: it ends the trying. */
  readonly code_tries: number;
}

/** What stands in the way of trying a code, right or wrong; undefined where it may be tried. */
export function refusalOfTry(
  { code_hash, code_expires_at, code_tries }: StandingCode,
  now: Date,
): Extract<ErrorCode, 'code_not_sent' | 'code_expired' | 'too_many_attempts'> | undefined {
  if (!code_hash || !code_expires_at) return 'code_not_sent';
  if (isCodeExpired(code_expires_at, now)) return 'code_expired';
  return code_tries >= codeLimits.triesPerCode ? 'too_many_attempts' : undefined;
}

/** How many tries are left after so many wrong ones. */
export function attemptsRemaining(wrongTries: number): number {
  return Math.max(0, codeLimits.triesPerCode - wrongTries);
}

/** What is on record about the codes of a challenge. */
export interface SentCodes {
  readonly sends: number;
  readonly sent_at: Date | null;
  /** Until when a code that is on its way to the provider is given time. */
  readonly sending_until: Date | null;
}

/** Why no code may be sent now. Without a time, waiting does not help. */
export interface SendRefusal {
  readonly reason: string;
  readonly retryAfterSeconds?: number;
}

/** What stands in the way of another code for the same challenge; undefined where it may be sent. */
export function refusalOfSend({ sends, sent_at, sending_until }: SentCodes, now: Date): SendRefusal | undefined {
  if (sending_until && sending_until > now) {
    return { reason: 'A code is on its way.', retryAfterSeconds: secondsUntil(sending_until, now) };
  }
  if (sends >= codeLimits.sendsPerChallenge) {
    return { reason: `A challenge sends ${codeLimits.sendsPerChallenge} codes at most.` };
  }
  const next = sent_at && new Date(sent_at.getTime() + codeLimits.resendAfterSeconds * 1000);
  if (next && next > now) {
    return {
      reason: `A code can be sent every ${codeLimits.resendAfterSeconds} seconds.`,
      retryAfterSeconds: secondsUntil(next, now),
    };
  }
  return undefined;
}

function secondsUntil(end: Date, now: Date): number {
  return Math.ceil((end.getTime() - now.getTime()) / 1000);
}
