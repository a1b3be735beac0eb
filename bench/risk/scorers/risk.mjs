import { riskOfLogin } from '../../../service/dist/evaluation/rules/risk/score.js';
import { createHistory } from '../history.mjs';

export const title = 'Whorl by risk';
export const usesProof = true;
export const isProbability = true;

/** The service's own score, with facts as the service counts them. */
export function createScorer(options) {
  const { factsOf, learn } = createHistory(options);
  return { score: (login) => unrounded(riskOfLogin(factsOf(login))), learn };
}

/** Returns the score before it is rounded to two decimals. */
function unrounded({ contributions }) {
  return 100 / (1 + 2 ** -contributions.reduce((sum, { bits }) => sum + bits, 0));
}
