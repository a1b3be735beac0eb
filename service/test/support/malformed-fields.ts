import { fingerprintOf } from './fingerprints.js';

const fingerprint = fingerprintOf({ seed: 'laptop' });

/** What a script may send in place of what our page sends. */
export const malformedFields: Readonly<Record<string, object>> = {
  'no fingerprint': {},
  'a long fingerprint': { fingerprint: 'x'.repeat(5000) },
  'a fingerprint that is not a text': { fingerprint: { a: 1 } },
  'a fingerprint that cannot be stored': { fingerprint: 'a\u0000\ud800' },
  'a long last_fingerprint': { fingerprint, last_fingerprint: 'x'.repeat(5000) },
  'a last_fingerprint that is not a text': { fingerprint, last_fingerprint: ['a'] },
  'a version of two lines': { fingerprint, version: '1\n2' },
  'a version that is not a text': { fingerprint, version: 1 },
  'a long proof': { fingerprint, proof: 'x'.repeat(9000) },
  'a proof that is not one': { fingerprint, proof: 'none' },
};
