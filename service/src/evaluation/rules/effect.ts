import type { Verdict } from 'whorl/wire';
import type { Effect } from './vocabulary.js';

const challenging: readonly Effect[] = ['challenge', 'challenge_and_restrict'];
const restricting: readonly Effect[] = ['restrict', 'challenge_and_restrict'];

/** Returns the strictest of several effects; `restrict` and `challenge` together give `challenge_and_restrict`. */
export function strictest(effects: readonly Effect[]): Effect {
  if (effects.includes('deny')) return 'deny';
  const challenges = effects.some((effect) => challenging.includes(effect));
  const restricts = effects.some((effect) => restricting.includes(effect));
  if (challenges) return restricts ? 'challenge_and_restrict' : 'challenge';
  if (restricts) return 'restrict';
  return effects.includes('report') ? 'report' : 'off';
}

/** Returns the verdict that results from several effects. */
export function verdictOf(effects: readonly Effect[]): Verdict {
  const effect = strictest(effects);
  return effect === 'off' || effect === 'report' ? 'allow' : effect;
}

/** Returns the stricter of two verdicts; `restrict` and `challenge` together give `challenge_and_restrict`. */
export function stricterVerdict(one: Verdict, other: Verdict): Verdict {
  return verdictOf([effectOf(one), effectOf(other)]);
}

/** Returns a verdict without its challenge, after the challenge was completed. */
export function verdictWithoutChallenge(verdict: Verdict): Verdict {
  return verdictOf([withoutChallenge(effectOf(verdict))]);
}

function effectOf(verdict: Verdict): Effect {
  return verdict === 'allow' ? 'report' : verdict;
}

/** Returns an effect without its challenge. */
export function withoutChallenge(effect: Effect): Effect {
  if (effect === 'challenge') return 'report';
  return effect === 'challenge_and_restrict' ? 'restrict' : effect;
}
