import { chooser } from './random.mjs';

/**
 * Returns pairs of fingerprints for errors and fitting. Pairs of one device: two visits at most a year apart, half of
 * them (or the share `neighbours`) consecutive. Pairs of two devices: two visits drawn in the same way. `visits` lists
 * each device's [day, fingerprint].
 */
export function samplePairs({ visits, random, same, different, neighbours = 0.5 }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const anyDevice = () => {
    for (;;) {
      const own = pick(visits);
      if (own.length > 1) return own;
    }
  };
  const pair = (one, other) => {
    const [a, b] = one.day <= other.day ? [one, other] : [other, one];
    return { a: a.fingerprint.values, b: b.fingerprint.values, days: b.day - a.day };
  };
  const ofOne = (own) => {
    const at = Math.floor(random() * (own.length - 1));
    return random() < neighbours
      ? [own[at], own[at + 1]]
      : [own[at], own[at + 1 + Math.floor(random() * (own.length - at - 1))]];
  };
  return {
    same: Array.from({ length: same }, () => pair(...ofOne(anyDevice()))),
    different: Array.from({ length: different }, () => {
      // The time between the two is that of two visits of one device, so that the time itself is no evidence.
      const [first, second] = ofOne(anyDevice());
      let other = anyDevice();
      let near = nearest(other, second.day);
      while (near.fingerprint === first.fingerprint && other.includes(first)) {
        other = anyDevice();
        near = nearest(other, second.day);
      }
      return pair(first, near);
    }),
  };
}

function nearest(own, day) {
  let best = own[0];
  for (const visit of own) if (Math.abs(visit.day - day) < Math.abs(best.day - day)) best = visit;
  return best;
}

/**
 * Returns the rate at which both kinds of error are equally frequent, and the threshold for it.
 *
 * @param {readonly number[]} same
 * @param {readonly number[]} different
 * @returns {{ rate: number, bits: number }}
 */
export function equalErrorRate(same, different) {
  const scores = [...same.map((bits) => [bits, 1]), ...different.map((bits) => [bits, 0])].sort((a, b) => a[0] - b[0]);
  let missed = 0;
  let merged = different.length;
  let best = { gap: Infinity };
  for (let at = 0; at < scores.length; at++) {
    const [bits, isSame] = scores[at];
    if (isSame) missed++;
    else merged--;
    // Equal scores fall on the same side of a threshold.
    if (at + 1 < scores.length && scores[at + 1][0] === bits) continue;
    const rates = [missed / same.length, merged / different.length];
    const gap = Math.abs(rates[0] - rates[1]);
    if (gap < best.gap) best = { gap, rate: (rates[0] + rates[1]) / 2, bits };
  }
  return { rate: best.rate, bits: best.bits };
}

/**
 * Returns pairs of two devices with equal hardware, which are rare among random pairs, and their share of all pairs of
 * two devices.
 */
export function lookAlikes({ visits, random, count }) {
  const groups = new Map();
  for (const own of visits) {
    const key = own[0].fingerprint.values.slice(0, 6).join();
    const group = groups.get(key);
    if (group) group.push(own);
    else groups.set(key, [own]);
  }
  const large = [...groups.values()].filter((group) => group.length > 1);
  const choose = chooser(large.map((group) => [group, group.length * (group.length - 1)]));
  const total = large.reduce((sum, group) => sum + group.length * (group.length - 1), 0);
  const pairs = Array.from({ length: count }, () => {
    const group = choose(random);
    const first = Math.floor(random() * group.length);
    const second = (first + 1 + Math.floor(random() * (group.length - 1))) % group.length;
    const own = group[first];
    const at = Math.floor(random() * (own.length - 1));
    const one = own[at];
    const then = random() < 0.5 ? own[at + 1] : own[at + 1 + Math.floor(random() * (own.length - at - 1))];
    const other = nearest(group[second], then.day);
    const [a, b] = one.day <= other.day ? [one, other] : [other, one];
    return { a: a.fingerprint.values, b: b.fingerprint.values, days: b.day - a.day };
  }).filter(({ a, b }) => a.slice(0, 6).every((value, at) => value === b[at]));
  return { pairs, share: total / (visits.length * (visits.length - 1)) };
}
