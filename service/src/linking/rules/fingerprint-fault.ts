import { readFingerprint } from './fingerprint-text.js';

/**
 * Fault of a fingerprint. `opaque`: not created by the browser package; it matches only exactly the same text.
 * `placeholder`: a value that scripts send when there is no fingerprint. `unreadable`: too few readable facets. The
 * last two never match anything.
 */
export type FingerprintFault = 'opaque' | 'placeholder' | 'unreadable';

export function faultOfFingerprint(text: string): FingerprintFault | undefined {
  const { parsed, isReadable } = readFingerprint(text);
  if (parsed) return isReadable ? undefined : 'unreadable';
  return isReadable ? 'opaque' : 'placeholder';
}
