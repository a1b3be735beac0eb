import type { ErrorCode } from 'whorl/wire';
import { codeLimits, isCodeExpired } from './codes.js';

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
