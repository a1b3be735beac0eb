import { judge } from '../../../service/dist/testing.js';
import { createJudging } from '../judging.mjs';

export const title = 'Whorl by rules';
export const usesProof = true;
export const isDecision = true;

/** The service's own `judge`, with facts as the service gathers them. An honest person completes every challenge. */
export function createScorer() {
  const { factsOf, learn } = createJudging();
  return {
    score: (login) => (judge(factsOf(login)).verdict === 'allow' ? 0 : 1),
    learn(login, { challenged }) {
      learn(login, { confirmed: challenged || judge(factsOf(login)).trustsFirstDevice });
    },
  };
}
