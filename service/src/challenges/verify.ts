import type { VerifyResponse } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';
import { hourSeconds } from '../ground/time.js';
import { type ChallengeRow, changeChallenge } from '../resources/challenges/queries.js';
import { checkQuota, consumeQuota, type Quota, type QuotaResult } from '../resources/quotas/queries.js';
import type { Caller, Service } from '../resources/service.js';
import { attemptsRemaining, codeLimits, matchesCode, refusalOfSend, refusalOfTry } from './rules/codes.js';
import { requireNotRevoked, requireTransition, withChallenge } from './with-challenge.js';

const details = {
  code_not_sent: 'No code was sent for this challenge. Send one first.',
  code_expired: `The code has expired after ${codeLimits.lifetimeMinutes} minutes. Send a new one.`,
  too_many_attempts: `The code was tried ${codeLimits.triesPerCode} times. Send a new one.`,
} as const;

/**
 * Checks a code (docs/challenges.md). A wrong code is not an error. If the correct code is sent twice concurrently, both
 * requests succeed and the challenge is verified once. Wrong codes are counted exactly, even if sent concurrently.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `code_not_sent`, `code_expired`; `too_many_attempts` at the sixth
 *   attempt for a code, and for the rest of the hour after 10 wrong codes of a user across all challenges.
 */
export async function verifyChallenge(
  service: Service,
  caller: Caller,
  id: string,
  code: string,
): Promise<VerifyResponse> {
  return withChallenge(service, caller, id, async (held) => {
    const { work, challenge, user } = held;
    const now = service.now();
    requireTransition(challenge, 'verify_right', now);
    await requireNotRevoked(held);
    const refusal = refusalOfTry(challenge, now);
    if (refusal) throw new ApiError(refusal, { detail: details[refusal] });
    const wrongCodes = quotaOfWrongCodes(caller, user.id);
    const quota = await checkQuota(work.db, wrongCodes, now);
    if (!quota.isAvailable) {
      const { retryAfterSeconds } = quota;
      throw new ApiError('too_many_attempts', {
        detail: 'Too many wrong codes for this user. Try again later.',
        retryAfterSeconds,
      });
    }
    if (isCorrect(service, challenge, code)) {
      if (!challenge.verified_at) {
        const verified = { verified_at: now, verified_by: challenge.code_channel };
        await changeChallenge(work.db, challenge.world_id, challenge.id, verified);
      }
      return { success: true };
    }
    const wrongTries = challenge.code_tries + 1;
    await changeChallenge(work.db, challenge.world_id, challenge.id, { code_tries: wrongTries });
    await consumeQuota(work.db, wrongCodes, now);
    const remaining = attemptsRemaining(wrongTries);
    if (remaining > 0) return { success: false, attempts_remaining: remaining };
    const next = resendAfterSeconds(challenge, await checkQuota(work.db, wrongCodes, now), now);
    return { success: false, attempts_remaining: 0, ...(next !== undefined && { resend_after_seconds: next }) };
  });
}

/** Returns the time until another code can be sent and tried; undefined if no more can be sent for the challenge. */
function resendAfterSeconds(challenge: ChallengeRow, quota: QuotaResult, now: Date): number | undefined {
  const refusal = refusalOfSend(challenge, now);
  if (refusal && refusal.retryAfterSeconds === undefined) return undefined;
  return Math.max(refusal?.retryAfterSeconds ?? 0, quota.isAvailable ? 0 : quota.retryAfterSeconds);
}

/** Limits the wrong codes of a user across all challenges. */
function quotaOfWrongCodes({ worldId }: Caller, userId: string): Quota {
  const limit = codeLimits.wrongCodesPerUserPerHour;
  return { worldId, name: 'wrong_codes', subject: userId, limit, windowSeconds: hourSeconds };
}

/** Tries all keys that codes may be hashed with, so that codes stay valid when the master secret is rotated. */
function isCorrect({ vault }: Service, { id, code_hash }: ChallengeRow, code: string): boolean {
  return code_hash !== null && vault.codeKeys().some((key) => matchesCode(code, id, key, code_hash));
}
