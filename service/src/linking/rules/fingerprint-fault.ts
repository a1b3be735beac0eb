import { readFingerprint } from './fingerprint-text.js';

/**
 * What a fingerprint lacks: `opaque` is none of the browser package's and matches exactly the same text alone;
 * `placeholder` is what scripts send when there is no fingerprint, and `unreadable` has too few readable facets: both
 * never match anything.
 */
export type FingerprintFault = 'opaque' | 'placeholder' | 'unreadable';

export function faultOfFingerprint(text: string): FingerprintFault | undefined {
  const { parsed, isReadable } = readFingerprint(text);
  if (parsed) return isReadable ? undefined : 'unreadable';
  return isReadable ? 'opaque' : 'placeholder';
}
