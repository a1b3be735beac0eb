import type { ChallengeStatus } from 'whorl/wire';

/** What tells whether a challenge is open. */
export interface Lifetime {
  readonly status: ChallengeStatus;
  readonly expires_at: Date;
}

/** A challenge's status at a moment: past its time it is expired, also before anything has written that down. */
export function statusAt({ status, expires_at }: Lifetime, now: Date): ChallengeStatus {
  return status === 'pending' && now >= expires_at ? 'expired' : status;
}
