import type { Success } from 'whorl/wire';
import { skipClaims } from '../claims/queries.js';
import type { Caller, Service } from '../service.js';
import { emit } from '../webhooks/emit.js';
import { allow } from './allow.js';
import { changeChallenge } from './queries.js';
import { loadChallengeView } from './views.js';
import { findEither, withChallenge } from './with-challenge.js';

/**
 * Closes a challenge without trusting anything; the device stays `pending`. Skipping again changes nothing. The challenge
 * of a claim is closed without being taken up: there is nothing to announce.
 *
 * @throws {ApiError} `not_found`, `challenge_closed` where it is completed or expired.
 */
export async function skipChallenge(service: Service, caller: Caller, id: string): Promise<Success> {
  const { claim } = await findEither(service.db, caller, id);
  if (claim) {
    await service.db.transaction().execute((trx) => skipClaims(trx, caller.worldId, id));
    return { success: true };
  }
  return withChallenge(service, caller, id, async ({ trx, challenge, user }) => {
    allow(challenge, 'skip', service.now());
    if (challenge.status === 'skipped') return { success: true };
    const skipped = await changeChallenge(trx, challenge.world_id, challenge.id, {
      status: 'skipped',
      sending_until: null,
    });
    const view = await loadChallengeView(trx, service, caller, skipped);
    await emit(trx, service, caller, 'challenge.skipped', { challenge: view }, { userId: user.id });
    return { success: true };
  });
}
