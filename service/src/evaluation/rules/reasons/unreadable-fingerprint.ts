import { unreadable } from 'whorl/fingerprint';
import type { ReasonRule } from '../reason.js';

/** The fingerprint matches nothing: there is none, or it is a placeholder, or it has too few readable facets. */
export const unreadableFingerprint: ReasonRule<'unreadable_fingerprint'> = {
  name: 'unreadable_fingerprint',
  words: {
    title: 'Unreadable fingerprint',
    explanation: 'The fingerprint is invalid, or too little of it could be read to recognise the device.',
    toVisitor: 'the browser could not be read',
    raisedWhen: 'the fingerprint is missing, is a placeholder, or has fewer than 6 readable facets: it matches nothing',
  },
  policy: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  traits: [],
  detect: ({ request: { fingerprint, isReadable, parsed } }) => {
    if (isReadable) return undefined;
    return {
      evidence: parsed
        ? { readable_facets: Object.values(parsed.facets).filter((digest) => digest !== unreadable).length }
        : fingerprint === undefined
          ? { missing: true }
          : { placeholder: true },
    };
  },
};
