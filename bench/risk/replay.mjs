import { seeded } from '../identity/population/random.mjs';
import { createLinking } from '../identity/population/service.mjs';
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
  const { attackers: tried = attackerNames } = trace;
  const results = { honest: [], attacks: Object.fromEntries(tried.map((name) => [name, []])) };
  const { score, learn } = scorer.createScorer({ proofShare });
  for (const { login, seen, attacks } of stepsOf(trace, { proofShare, from, attackShare, seed })) {
    for (const { name, login: attempted, seen: shown } of attacks)
      results.attacks[name].push({ score: score(shown), user: login.user, login: attempted });
    const value = seen.signup ? 0 : score(seen);
    if (!seen.signup && login.day >= from) results.honest.push({ score: value, user: login.user, login });
    learn(seen, { challenged: scorer.isDecision ? value >= 1 : false });
  }
  return results;
}

/** The steps of each replay: all scorers see the same, and recognition takes longer than any of them. */
const replayed = new WeakMap();

/** Returns each honest login with the attacks before it, as `{ login, seen, attacks }`: what happened, and what a scorer may see of it. */
function stepsOf(trace, options) {
  const key = JSON.stringify(options);
  const known = replayed.get(trace) ?? new Map();
  replayed.set(trace, known);
  if (!known.has(key)) known.set(key, [...steps(trace, options)]);
  return known.get(key);
}

function* steps(trace, { proofShare, from, attackShare, seed }) {
  const random = seeded(seed);
  const { attackers: tried = attackerNames, attack: draw = attack, world } = trace;
  const known = new Map();
  const used = new Map();
  const failed = failureCounter();
  const { link, identify } = world ? createLinking({ random: seeded(seed + 1) }) : {};
  let strangers = 0;
  for (const attempt of trace.logins) {
    if (attempt.outcome === 'failed') {
      failed.add(attempt);
      continue;
    }
    const earlier = known.get(attempt.user) ?? [];
    const attacks = [];
    if (earlier.length > 0 && attempt.day >= from && random() < attackShare) {
      const imitated = { ...earlier[Math.floor(random() * earlier.length)], at: attempt.at, day: attempt.day };
      for (const name of tried) {
        const login = draw(name, random, { world, login: imitated, used: used.get(attempt.user) });
        const found = identify?.(visitOf(login, proofShare));
        const identity = found && (found.identityId ?? `stranger ${strangers++}`);
        attacks.push({
          name,
          login,
          seen: viewOf(login, { proofShare, failures: login.failures, signup: false, identity, found }),
        });
      }
    }
    const visit = visitOf(attempt, proofShare);
    const found = identify?.(visit);
    const seen = viewOf(attempt, {
      proofShare,
      failures: failed.count(attempt),
      signup: earlier.length === 0,
      identity: found && link(visit, found),
      found,
    });
    yield { login: attempt, seen, attacks };
    known.set(attempt.user, [...earlier.slice(1 - imitable), attempt]);
    used.set(attempt.user, (used.get(attempt.user) ?? new Set()).add(attempt.place.asn));
  }
}

const proofOf = ({ proofDraw, kept }, proofShare) => (proofDraw < proofShare ? kept.key : undefined);

/** Returns a login as the service's rules of linking see it. */
export function visitOf({ day, user, shown, kept, ...login }, proofShare) {
  return { day, user, text: shown.fingerprint, last: kept.last, key: proofOf({ ...login, kept }, proofShare) };
}

/** Returns what a scorer may see: not the truth. */
export function viewOf({ truth, proofDraw, kept, ...seen }, { proofShare, failures, signup, identity, found }) {
  const shown = found ? { ...seen.shown, recognisable: identity, confidence: found.confidence } : seen.shown;
  return { ...seen, shown, failures, signup, proof: proofOf({ proofDraw, kept }, proofShare) };
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
