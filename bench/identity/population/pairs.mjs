import { nearest, pairOf } from '../../../service/dist/testing.js';

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
  const ofOne = (own) => {
    const at = Math.floor(random() * (own.length - 1));
    return random() < neighbours
      ? [own[at], own[at + 1]]
      : [own[at], own[at + 1 + Math.floor(random() * (own.length - at - 1))]];
  };
  return {
    same: Array.from({ length: same }, () => pairOf(...ofOne(anyDevice()))),
    different: Array.from({ length: different }, () => {
      // The time between the two is that of two visits of one device, so that the time itself is no evidence.
      const [first, second] = ofOne(anyDevice());
      let other = anyDevice();
      let near = nearest(other, second.day);
      while (near.fingerprint === first.fingerprint && other.includes(first)) {
        other = anyDevice();
        near = nearest(other, second.day);
      }
      return pairOf(first, near);
    }),
  };
}
