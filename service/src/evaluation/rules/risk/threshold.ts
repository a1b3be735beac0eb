import type { Settings } from '../../../projects/rules/settings.js';

/** With fewer logins, a share of them says nothing. */
const minScores = 100;

/**
 * Returns the score from which on a login is of high risk: the setting, or the one that the project's newest logins
 * exceed as rarely as the project allows.
 *
 * @param scores Scores of the newest logins, in any order.
 */
export function loginThreshold(
  { threshold, challenge_at_most: percent }: Settings['risk'],
  scores: readonly number[],
): number {
  if (percent === null || scores.length < minScores) return threshold;
  const sorted = [...scores].sort((one, other) => other - one);
  const [first = 0] = sorted;
  // The first login that must not be challenged. Scores have two decimals.
  const highest = sorted[Math.floor((sorted.length * percent) / 100)];
  if (highest === undefined) return 0;
  return Math.min(first, highest) + 0.01;
}
