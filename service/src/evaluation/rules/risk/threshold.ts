import type { Settings } from '../../../resources/projects/rules/settings.js';

/** A login that was allowed, or whose challenge was completed. */
export interface ScoredLogin {
  readonly userId: string | null;
  readonly network: string | null;
  readonly score: number;
}

/** With fewer logins, a share of them says nothing. */
const minScores = 100;
/**
 * A threshold that follows from logins is at most this many times the setting, so that logins cannot move an attack
 * below it.
 */
const mostTimesSetting = 10;
/** Scores are stored in single precision. */
const nextScore = 1 + 1e-6;

/**
 * Returns the lowest score of a login of high risk: the setting, or the one that the project's newest logins
 * exceed as rarely as the project allows.
 *
 * @param scores Scores of the newest logins, the lowest first, one for each user and address.
 */
export function loginThreshold(
  { threshold, challenge_at_most: percent }: Settings['risk'],
  scores: readonly number[],
): number {
  if (percent === null || scores.length < minScores) return threshold;
  // The riskiest login that must not be challenged.
  const highest = scores[scores.length - 1 - Math.floor((scores.length * percent) / 100)];
  const derived = highest === undefined ? 0 : highest * nextScore;
  return Math.min(derived, threshold * mostTimesSetting);
}

/** Returns the scores of logins, the lowest first. The newest login of each user and of each address counts. */
export function scoresOf(newestFirst: readonly ScoredLogin[]): readonly number[] {
  const seen = new Set<string>();
  const counted = newestFirst.filter(({ userId, network }) => {
    const keys = [userId !== null && `user ${userId}`, network !== null && `address ${network}`].filter(
      (key) => key !== false,
    );
    const isNew = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
  return counted.map(({ score }) => score).sort((one, other) => one - other);
}
