import type { Challenge } from 'whorl/wire';
import type { Caller, Service } from '../service.js';
import { emit } from '../webhooks/emit.js';
import { changeChallenge } from './queries.js';
import { loadChallengeView } from './views.js';
import { withChallenge } from './with-challenge.js';

/** Notes that the user sees the challenge, and answers it. The first time, Challenge viewed is told. */
export async function openChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  return withChallenge(service, caller, id, async ({ trx, challenge, user }) => {
    const view = await loadChallengeView(trx, service, caller, challenge);
    if (challenge.opened_at) return view;
    await changeChallenge(trx, challenge.world_id, challenge.id, { opened_at: service.now() });
    await emit(trx, service, caller, 'challenge.viewed', { challenge: view }, { userId: user.id });
    return view;
  });
}
