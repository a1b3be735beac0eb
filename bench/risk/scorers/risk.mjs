import { riskOf } from '../../../service/dist/evaluation/rules/risk/score.js';
import { createHistory } from '../history.mjs';

export const title = 'Whorl by risk';
export const usesProof = true;
export const isProbability = true;

/** The service's own score, with facts as the service would count them. */
export function createScorer() {
  const { factsOf, learn } = createHistory();
  return { score: (login) => riskOf(factsOf(login)).score, learn };
}
