import { ApiError } from '../errors.js';
import {
  type ChallengeOperation,
  type ChallengeState,
  challengeStates,
  isRefusal,
  type StandingChallenge,
  stateOf,
} from './rules/states.js';

const details = {
  challenge_closed: 'The challenge is completed, skipped or expired.',
  challenge_not_verified: 'A code was sent; verify it first.',
  code_not_sent: 'No code was sent for this challenge.',
} as const;

/**
 * The state that an operation leads to.
 *
 * @throws {ApiError} where the challenge's state does not allow it.
 */
export function allow(challenge: StandingChallenge, operation: ChallengeOperation, now: Date): ChallengeState {
  const outcome = challengeStates[stateOf(challenge, now)][operation];
  if (isRefusal(outcome)) throw new ApiError(outcome, { detail: details[outcome] });
  return outcome;
}
