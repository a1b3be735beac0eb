import { validate as isUuid } from 'uuid';
import { openClaim, userOfClaim } from '../evaluation/claims/content.js';
import { type ClaimRow, findClaimOfChallenge } from '../evaluation/claims/queries.js';
import { superseded } from '../evaluation/claims/superseded.js';
import { takeUpChallenge } from '../evaluation/claims/take-up.js';
import { isSuperseded } from '../evaluation/rules/superseded.js';
import { lockUser } from '../ground/db/locks.js';
import { ApiError, noSuch } from '../ground/errors.js';
import { type ChallengeRow, findChallenge } from '../resources/challenges/queries.js';
import {
  type ChallengeOperation,
  type ChallengeState,
  challengeStates,
  isRefusal,
  type StoredChallenge,
  stateOf,
} from '../resources/challenges/rules/states.js';
import { findDevice } from '../resources/devices/queries/devices.js';
import { type Caller, type Database, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserByExternalId, type UserRow } from '../resources/users/queries/users.js';

/** Locked challenge with its user. */
export interface HeldChallenge {
  readonly work: UnitOfWork;
  readonly challenge: ChallengeRow;
  readonly user: UserRow;
}

/**
 * Runs an operation on one challenge in a new transaction that locks its user. The challenge of a claim is first turned
 * into a regular challenge: see `takeUpChallenge`.
 *
 * @throws {ApiError} `not_found`; `challenge_closed` and `evaluation_superseded` for a claim that is no longer valid.
 */
export async function withChallenge<Result>(
  service: Service,
  caller: Caller,
  id: string,
  act: (held: HeldChallenge) => Promise<Result>,
): Promise<Result> {
  const outcome = await hold(service, caller, id, act);
  // The claim stays a regular challenge even if the operation is then refused.
  return 'result' in outcome ? outcome.result : withChallenge(service, caller, outcome.takenUpAs, act);
}

async function hold<Result>(
  service: Service,
  caller: Caller,
  id: string,
  act: (held: HeldChallenge) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly takenUpAs: string }> {
  return inTransaction(service, caller, async (work) => {
    const externalId = await userOf(work, id);
    await lockUser(work.db, caller.worldId, externalId);
    const challenge = await findChallenge(work.db, caller.worldId, id, { lock: true });
    if (challenge) {
      const user = await findUserByExternalId(work.db, caller.worldId, challenge.external_user);
      if (!user) throw notFound();
      return { result: await act({ work, challenge, user }) };
    }
    const claim = await findClaimOfChallenge(work.db, caller.worldId, id, { lock: true });
    if (!claim) throw notFound();
    return { takenUpAs: await takeUpChallenge(work, claim) };
  });
}

/** Returns the user of a challenge or of its claim, before anything is locked. */
async function userOf(work: UnitOfWork, id: string): Promise<string> {
  const { db, caller } = work;
  const { challenge, claim } = await findChallengeOrClaim(db, caller, id);
  if (challenge) return challenge.external_user;
  const opened = claim && openClaim(work, claim);
  if (!opened) throw claim ? superseded() : notFound();
  return userOfClaim(opened);
}

/** Returns a challenge, otherwise the claim that it belongs to. Throws `not_found` if there is neither. */
export async function findChallengeOrClaim(
  db: Database,
  { worldId }: Caller,
  id: string,
): Promise<{ readonly challenge?: ChallengeRow; readonly claim?: ClaimRow }> {
  if (!isUuid(id)) throw notFound();
  const challenge = await findChallenge(db, worldId, id);
  if (challenge) return { challenge };
  const claim = await findClaimOfChallenge(db, worldId, id);
  if (!claim) throw notFound();
  return { claim };
}

/**
 * Requires that neither the challenge's device nor its user has been revoked since the challenge was created.
 *
 * @throws {ApiError} `evaluation_superseded`
 */
export async function requireNotRevoked({ work, challenge, user }: HeldChallenge): Promise<void> {
  const { device_id, world_id, revocations } = challenge;
  const device = device_id === null ? undefined : await findDevice(work.db, world_id, device_id);
  const isBlocked = device?.status === 'blocked' || user.status === 'suspended';
  const since = { ofDevice: device?.revocation ?? 0, ofUser: user.suspension, isBlocked };
  if (isSuperseded(revocations, since)) throw superseded();
}

function notFound(): ApiError {
  return noSuch('challenge');
}

const refusalDetails = {
  challenge_closed: 'The challenge is completed, skipped or expired.',
  challenge_not_verified: 'A code was sent. Verify it first.',
  code_not_sent: 'No code was sent for this challenge. Send one first.',
} as const;

/**
 * Returns the state after an operation.
 *
 * @throws {ApiError} if the challenge's current state does not allow the operation.
 */
export function requireTransition(
  challenge: StoredChallenge,
  operation: ChallengeOperation,
  now: Date,
): ChallengeState {
  const outcome = challengeStates[stateOf(challenge, now)][operation];
  if (isRefusal(outcome)) throw new ApiError(outcome, { detail: refusalDetails[outcome] });
  return outcome;
}
