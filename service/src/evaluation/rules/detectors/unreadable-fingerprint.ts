import { unreadable } from 'whorl/fingerprint';
import type { Detector } from '../finding.js';

/** The fingerprint is a placeholder, or has too few readable facets, and matches nothing. */
export const unreadableFingerprint: Detector = ({ request: { isReadable, parsed } }) => {
  if (isReadable) return undefined;
  return {
    reason: 'unreadable_fingerprint',
    evidence: parsed
      ? { readable_facets: Object.values(parsed.facets).filter((digest) => digest !== unreadable).length }
      : { placeholder: true },
  };
};
