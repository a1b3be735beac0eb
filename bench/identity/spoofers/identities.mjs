import { FingerprintGenerator } from 'fingerprint-generator';

/** @typedef {import('fingerprint-generator').BrowserFingerprintWithHeaders} Identity */

/**
 * Draws identities from the generator's network of real traffic, the same ones in each call. Replaces `Math.random`,
 * which the generator uses, during the call.
 *
 * @param {number} count
 * @returns {Identity[]}
 */
export function drawIdentities(count, seed = 1) {
  const original = Math.random;
  Math.random = seeded(seed);
  try {
    const generator = new FingerprintGenerator();
    return Array.from({ length: count }, () => generator.getFingerprint());
  } finally {
    Math.random = original;
  }
}

/** Mulberry32 (Tommy Ettinger, public domain). @param {number} seed */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
