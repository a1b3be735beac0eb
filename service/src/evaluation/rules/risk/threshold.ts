import type { Settings } from '../../../projects/rules/settings.js';

/** With fewer logins, a share of them says nothing. */
const minScores = 100;

/**
 * Returns the score from which on a login is of high risk: the setting, or the one that the project's newest logins
 * exceed as rarely as the project allows.
 *
 * @param scores Scores of the newest logins, the lowest first.
 */
export function loginThreshold(
  { threshold, challenge_at_most: percent }: Settings['risk'],
  scores: readonly number[],
): number {
  if (percent === null || scores.length < minScores) return threshold;
  // The riskiest login that must not be challenged. Scores have two decimals.
  const highest = scores[scores.length - 1 - Math.floor((scores.length * percent) / 100)];
  return highest === undefined ? 0 : highest + 0.01;
}
