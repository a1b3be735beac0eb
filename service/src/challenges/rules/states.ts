import type { ChallengeStatus, ErrorCode } from 'whorl/wire';

/** What tells whether a challenge is open. */
export interface Lifetime {
  readonly status: ChallengeStatus;
  readonly expires_at: Date;
}

/** A challenge's status at a moment: past its time it is expired, also before anything has written that down. */
export function statusAt({ status, expires_at }: Lifetime, now: Date): ChallengeStatus {
  return status === 'pending' && now >= expires_at ? 'expired' : status;
}

/** Where a challenge stands: its status, and while that is `pending`, how far the code has come. */
export type ChallengeState = 'unsent' | 'sent' | 'verified' | 'completed' | 'skipped' | 'expired';

/** What can be done to a challenge. `verify_right` and `verify_wrong` are the two outcomes of one request. */
export type ChallengeOperation =
  | 'open'
  | 'send'
  | 'verify_right'
  | 'verify_wrong'
  | 'kick'
  | 'complete'
  | 'skip'
  | 'expire';

type Refusal = Extract<ErrorCode, 'challenge_closed' | 'challenge_not_verified' | 'code_not_sent'>;

/** The state after an operation, or why there is none. */
export type Outcome = ChallengeState | Refusal;

/**
 * The whole life of a challenge; docs/challenges.md draws it. A completed challenge still answers `verify`, so that of
 * two right answers at once both succeed, also when the first is followed by `complete` at once.
 */
export const challengeStates: Readonly<Record<ChallengeState, Readonly<Record<ChallengeOperation, Outcome>>>> = {
  unsent: {
    open: 'unsent',
    send: 'sent',
    verify_right: 'code_not_sent',
    verify_wrong: 'code_not_sent',
    // The customer verified the user by its own means.
    kick: 'unsent',
    complete: 'completed',
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
    skip: 'challenge_closed',
    expire: 'expired',
  },
};

/** What a challenge's state is read from. */
export interface StandingChallenge extends Lifetime {
  readonly sent_at: Date | null;
  readonly verified_at: Date | null;
}

/** Where a challenge stands at a moment. */
export function stateOf(challenge: StandingChallenge, now: Date): ChallengeState {
  const status = statusAt(challenge, now);
  if (status !== 'pending') return status;
  if (challenge.verified_at) return 'verified';
  return challenge.sent_at ? 'sent' : 'unsent';
}

export function isRefusal(outcome: Outcome): outcome is Refusal {
  return !(outcome in challengeStates);
}
