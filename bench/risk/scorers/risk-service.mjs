import { defaultSettings, isExemptFromChallenge, judge } from '../../../service/dist/testing.js';
import { createJudging } from '../judging.mjs';
import { createScorer as create } from './risk.mjs';

export const title = 'Whorl by risk, with all other reasons and trust';
export const usesProof = true;
export const isDecision = true;

const settings = { ...defaultSettings, judge_by: 'risk' };

/** The verdict of a project that judges by risk: the score, all other reasons such as `unproven_device`, and the trust invariant. */
export function createScorer(options) {
  const judging = createJudging();
  const scorer = create(options);
  const factsOf = (login) => ({ ...judging.factsOf(login), settings });
  return {
    score(login) {
      const facts = factsOf(login);
      if (judge(facts).verdict !== 'allow') return 1;
      if (isExemptFromChallenge(facts)) return 0;
      return scorer.score(login) >= settings.risk.threshold ? 1 : 0;
    },
    learn(login, { challenged }) {
      judging.learn(login, { confirmed: challenged || judge(factsOf(login)).trustsFirstDevice });
      scorer.learn(login);
    },
  };
}
