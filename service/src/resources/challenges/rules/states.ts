import type { ChallengeStatus, ErrorCode } from 'whorl/wire';

/** Fields that determine whether a challenge is open. */
export interface Lifetime {
  readonly status: ChallengeStatus;
  readonly expires_at: Date;
}

/** Returns a challenge's status. After its expiry it is expired, even if it is still stored as pending. */
export function statusAt({ status, expires_at }: Lifetime, now: Date): ChallengeStatus {
  return status === 'pending' && now >= expires_at ? 'expired' : status;
}

/** State of a challenge: its status or, while that is `pending`, the progress of its code. */
export type ChallengeState = 'unsent' | 'sent' | 'verified' | 'completed' | 'skipped' | 'expired';

/**
 * Operation on a challenge. `verify_right` and `verify_wrong` are the two outcomes of one request, and
 * `complete_by_method` is `complete` with `method`.
 */
export type ChallengeOperation =
  | 'open'
  | 'send'
  | 'verify_right'
  | 'verify_wrong'
  | 'kick'
  | 'complete'
  | 'complete_by_method'
  | 'skip'
  | 'expire';

type Refusal = Extract<ErrorCode, 'challenge_closed' | 'challenge_not_verified' | 'code_not_sent'>;

/** State after an operation, or the reason why the operation is refused. */
export type Outcome = ChallengeState | Refusal;

/**
 * State machine of a challenge; docs/challenges.md has a diagram. A completed challenge still accepts `verify`: if the
 * correct code is sent twice concurrently, both requests succeed even if `complete` immediately follows the first.
 */
export const challengeStates: Readonly<Record<ChallengeState, Readonly<Record<ChallengeOperation, Outcome>>>> = {
  unsent: {
    open: 'unsent',
    send: 'sent',
    verify_right: 'code_not_sent',
    verify_wrong: 'code_not_sent',
    // The customer verified the user by other means. `complete_by_method` names them.
    kick: 'unsent',
    complete: 'completed',
    complete_by_method: 'completed',
    skip: 'skipped',
    expire: 'expired',
  },
  sent: {
    open: 'sent',
    send: 'sent',
    verify_right: 'verified',
    verify_wrong: 'sent',
    kick: 'challenge_not_verified',
    complete: 'challenge_not_verified',
    complete_by_method: 'completed',
    skip: 'skipped',
    expire: 'expired',
  },
  verified: {
    open: 'verified',
    send: 'verified',
    verify_right: 'verified',
    verify_wrong: 'verified',
    kick: 'verified',
    complete: 'completed',
    complete_by_method: 'completed',
    skip: 'skipped',
    expire: 'expired',
  },
  completed: {
    open: 'completed',
    send: 'challenge_closed',
    verify_right: 'completed',
    verify_wrong: 'completed',
    kick: 'completed',
    complete: 'completed',
    complete_by_method: 'completed',
    skip: 'challenge_closed',
    expire: 'completed',
  },
  skipped: {
    open: 'skipped',
    send: 'challenge_closed',
    verify_right: 'challenge_closed',
    verify_wrong: 'challenge_closed',
    kick: 'challenge_closed',
    complete: 'challenge_closed',
    complete_by_method: 'challenge_closed',
    skip: 'skipped',
    expire: 'skipped',
  },
  expired: {
    open: 'expired',
    send: 'challenge_closed',
    verify_right: 'challenge_closed',
    verify_wrong: 'challenge_closed',
    kick: 'challenge_closed',
    complete: 'challenge_closed',
    complete_by_method: 'challenge_closed',
    skip: 'challenge_closed',
    expire: 'expired',
  },
};

/** Fields that determine the state of a challenge. */
export interface StoredChallenge extends Lifetime {
  readonly sent_at: Date | null;
  readonly verified_at: Date | null;
}

/** Returns the state of a challenge at a time. */
export function stateOf(challenge: StoredChallenge, now: Date): ChallengeState {
  const status = statusAt(challenge, now);
  if (status !== 'pending') return status;
  if (challenge.verified_at) return 'verified';
  return challenge.sent_at ? 'sent' : 'unsent';
}

export function isRefusal(outcome: Outcome): outcome is Refusal {
  return !(outcome in challengeStates);
}
