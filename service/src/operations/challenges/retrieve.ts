import type { Challenge } from 'whorl/wire';
import type { Caller, Service } from '../../service.js';
import { loadChallengeView } from '../views.js';
import { withChallenge } from './touch.js';

/** One challenge (specification 4.1). The first look at what a publishable key claimed announces it. */
export async function retrieveChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  return withChallenge(service, caller, id, ({ trx, challenge }) => loadChallengeView(trx, service, caller, challenge));
}
