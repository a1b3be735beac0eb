import { facets, priors } from '../../../dist/fingerprint.js';
import { sharesOf } from '../../../service/dist/study/rules/scoring.js';

const indexOf = new Map(facets.map(({ name }, index) => [name, index]));
const hardware = facets
  .filter(({ group, name }) => group === 'hardware' && name !== 'memoryFrom8')
  .map(({ name }) => name);
/** The groups of facets that the service uses to find candidates (service/src/linking/rules/group-keys.ts). */
const groups = [
  ['text', 'audio', 'fonts', 'metrics', 'maths'],
  ['platform', 'cpu', 'touch', 'fonts', 'screen', 'locale'],
  [...hardware, 'screen', 'locale', 'timezone'],
].map((group) => group.map((name) => indexOf.get(name)));
/** Maximum number of candidates of one group, newest first, as in the service's query. */
const maxCandidates = 20;

/**
 * Links as the service does. A known fingerprint belongs to its identity. Otherwise the saved fingerprint decides, if
 * it is sent and nothing contradicts it. Otherwise the candidates that share a group of facets are compared, and one is
 * chosen if it is likelier than all others and a new device together. Options: whether the saved fingerprint is sent,
 * and how frequent each value is.
 */
export function serviceLinking({ score, devices, withLast, shares }) {
  const exact = new Map();
  const index = new Map();
  let identities = 0;
  const projectPrior = Math.min(priors.project, 1 / devices);
  const keysOf = (fingerprint) => {
    fingerprint.keys ??= groups.map(
      (group, at) => `${at} ${fingerprint.family} ${group.map((facet) => fingerprint.values[facet]).join()}`,
    );
    return fingerprint.keys;
  };

  const candidatesOf = (fingerprint) => {
    const found = new Set();
    for (const key of keysOf(fingerprint)) for (const one of index.get(key) ?? []) found.add(one);
    return found;
  };

  const choose = (fingerprint, day, last) => {
    const odds = new Map();
    const frequent = sharesOf(fingerprint.values, shares);
    const weigh = (known, prior) => {
      if (known.fingerprint.family !== fingerprint.family) return;
      const bits = score(known.fingerprint.values, fingerprint.values, day - known.day, frequent);
      odds.set(known.identity, Math.max(odds.get(known.identity) ?? 0, prior * 2 ** bits));
    };
    if (last) weigh(last, upholds(last.fingerprint, fingerprint) ? priors.userWithLast : projectPrior);
    for (const known of candidatesOf(fingerprint)) weigh(known, projectPrior);
    let total = 1;
    let best;
    for (const [identity, its] of odds) {
      total += its;
      if (!best || its > best.its) best = { identity, its };
    }
    if (!best) return undefined;
    return best.its / total >= 0.5 || (last?.identity === best.identity && best.its >= 1) ? best.identity : undefined;
  };

  const remember = (fingerprint, identity, day) => {
    const known = { fingerprint, identity, day };
    exact.set(fingerprint.own, known);
    for (const key of keysOf(fingerprint)) {
      const all = index.get(key);
      if (!all) index.set(key, [known]);
      else {
        if (all.length >= maxCandidates) all.shift();
        all.push(known);
      }
    }
  };

  return (fingerprint, day, lastFingerprint) => {
    const known = exact.get(fingerprint.own);
    if (known) {
      known.day = day;
      return known.identity;
    }
    const last = withLast && lastFingerprint ? exact.get(lastFingerprint.own) : undefined;
    const identity = choose(fingerprint, day, last) ?? identities++;
    remember(fingerprint, identity, day);
    return identity;
  };
}

/** Returns whether nothing contradicts a saved fingerprint (service/src/linking/rules/choose.ts). */
function upholds(from, to) {
  const agrees = hardware.every((name) => {
    const a = from.values[indexOf.get(name)];
    const b = to.values[indexOf.get(name)];
    return a === b || a === 0 || b === 0;
  });
  return agrees && to.version >= from.version;
}
