import { seeded } from '../identity/population/random.mjs';
import { attack, attackers } from './attackers.mjs';

export const attackerNames = Object.keys(attackers);
/** Attackers imitate one of this many last logins of the victim. */
const imitable = 5;

/**
 * Replays a trace to one scorer. An honest login is scored before it is learned. Before a share of them, each attacker
 * tries the same account, and imitates one of its last logins. That leaves nothing behind, so that one attack does not
 * help the next.
 *
 * Only logins from day `from` on are reported, and none of a user without history: before, every method learns.
 *
 * @returns `honest` and each attacker's list of `{ score, user, login }`, in order of time.
 */
export function replay(trace, { scorer, proofShare = 0, from = trace.from ?? 180, attackShare = 0.2, seed = 7 }) {
  const random = seeded(seed);
  const { attackers: tried = attackerNames, attack: draw = attack } = trace;
  const results = { honest: [], attacks: Object.fromEntries(tried.map((name) => [name, []])) };
  const known = new Map();
  const failed = failureCounter();
  const { score, learn } = scorer.createScorer({ proofShare });
  for (const attempt of trace.logins) {
    if (attempt.outcome === 'failed') {
      failed.add(attempt);
      continue;
    }
    const earlier = known.get(attempt.user) ?? [];
    const login = viewOf(attempt, { proofShare, failures: failed.count(attempt), signup: earlier.length === 0 });
    const isReported = earlier.length > 0 && attempt.day >= from;
    // The draw does not depend on the scorer, so that all see the same attacks.
    if (isReported && random() < attackShare) {
      const imitated = { ...earlier[Math.floor(random() * earlier.length)], at: attempt.at, day: attempt.day };
      for (const name of tried) {
        const attempted = draw(name, random, { world: trace.world, login: imitated });
        const view = viewOf(attempted, { proofShare, failures: attempted.failures, signup: false });
        results.attacks[name].push({ score: score(view), user: attempt.user, login: attempted });
      }
    }
    const value = earlier.length === 0 ? 0 : score(login);
    if (isReported) results.honest.push({ score: value, user: attempt.user, login: attempt });
    learn(login, { challenged: scorer.isDecision ? value >= 1 : false });
    known.set(attempt.user, [...earlier.slice(1 - imitable), attempt]);
  }
  return results;
}

/** Returns what a scorer may see: not the truth. */
function viewOf({ truth, proofDraw, deviceId, ...seen }, { proofShare, failures, signup }) {
  return { ...seen, failures, signup, proof: proofDraw < proofShare ? deviceId : undefined };
}

/** Counts failed attempts against a user in the last hour. */
function failureCounter() {
  const times = new Map();
  const hourMs = 3_600_000;
  return {
    add: ({ user, at }) => times.set(user, [...(times.get(user) ?? []).filter((time) => at - time < hourMs), at]),
    count: ({ user, at }) => (times.get(user) ?? []).filter((time) => at - time < hourMs).length,
  };
}
