import type { Challenge } from 'whorl/wire';
import { openClaim } from '../claims/content.js';
import { claimedChallengeView, readClaimedChallenge } from '../claims/views.js';
import type { Caller, Service } from '../service.js';
import { loadChallengeView } from './views.js';
import { findEither } from './with-challenge.js';

/**
 * Returns one challenge (docs/api.md). Reading the challenge of a claim changes nothing.
 *
 * @throws {ApiError} `not_found`
 */
export async function retrieveChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  const { db } = service;
  const { challenge, claim } = await findEither(db, caller, id);
  if (challenge) return loadChallengeView(db, service, caller, challenge);
  const claimed = await readClaimedChallenge(db, caller, claim && openClaim(service, claim));
  return claimedChallengeView(db, service, caller, claimed);
}
