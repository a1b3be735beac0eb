import { isNewDeviceAtKnownAddress, percentOf, riskOfLogin } from '../../../service/dist/testing.js';
import { createHistory } from '../history.mjs';

export const title = 'Whorl by risk';
export const usesProof = true;

/** The service's own score and its setting for a new device at a known address, with facts as the service counts them. */
export function createScorer({ data, neighbours = 'challenge' } = {}) {
  const { factsOf, learn } = createHistory({ data });
  const score = (login) => {
    const facts = factsOf(login);
    const isChallenged = neighbours === 'challenge' && isNewDeviceAtKnownAddress(facts);
    return isChallenged ? 100 : percentOf(riskOfLogin(facts).bits);
  };
  return { score, learn };
}
