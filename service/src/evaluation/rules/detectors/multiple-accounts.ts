import type { Detector } from '../finding.js';
import { countOthers } from '../strength.js';

/** Other users were seen on the device. The counts are of those known by evidence that is at least so strong. */
export const multipleAccounts: Detector = (facts) => {
  if (facts.others.length === 0) return undefined;
  const corroborated = countOthers(facts, 'corroborated');
  const proven = countOthers(facts, 'proven');
  return {
    reason: 'multiple_accounts',
    strength: proven > 0 ? 'proven' : corroborated > 0 ? 'corroborated' : 'fingerprint',
    evidence: { others: { fingerprint: facts.others.length, corroborated, proven } },
  };
};
