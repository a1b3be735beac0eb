import { type DeviceLevel, isKnown } from './device.js';
import type { RiskFacts } from './score-facts.js';
import { say } from './sentences.js';
import type { Evidence } from './terms.js';

type FixedEvidence = Evidence & { readonly fixedBits: number };

/** A key was stolen from the device, or the device itself is used: one attack in 8,000. An estimate. */
const stolenKeyBits = -13;
/** No device proves its key so reliably that a missing proof is worth more. */
const maxMissingProofBits = 7;
/** The lowest bits whose score is not below the default `risk.threshold`. */
const leastBitsOfCopy = -9.37;

/**
 * A missing proof counts as much as the device is used to proving its key. It takes back what the match earned, and no
 * more: a known device without its key is at most as suspicious as another device.
 *
 * @param earned Returns the bits that being known earned, 0 or more.
 */
export function proofEvidence(
  { proof }: RiskFacts,
  level: DeviceLevel,
  earned: () => number,
): FixedEvidence | undefined {
  const { result, proven, deviceLogins } = proof;
  if (result === 'valid') return { fact: 'proof', fixedBits: stolenKeyBits, text: say('proof') };
  if (!isKnown(level) || proven === 0) return undefined;
  const usual = (proven + 0.5) / (deviceLogins + 1);
  const fixedBits = Math.min(earned(), maxMissingProofBits, -Math.log2(1 - usual));
  const text = say('no_proof', proven, deviceLogins);
  return { fact: 'proof', fixedBits, text };
}

/**
 * Returns the evidence that makes a login without a valid proof reach the default threshold at a provider that is new
 * for the user, whatever else is known, because a fingerprint can be copied. Undefined if it reaches it anyway. Logins
 * keep their order.
 *
 * @param bits Of the login so far.
 * @param missing The part of them for a missing proof, which this evidence replaces.
 */
export function copyEvidence({ proof }: RiskFacts, bits: number, missing = 0): Evidence | undefined {
  if (proof.result === 'valid') return undefined;
  const least = leastBitsOfCopy + 0.5 * 2 ** ((bits - leastBitsOfCopy) / 4);
  if (bits >= least) return undefined;
  return { fact: 'proof', fixedBits: missing + least - bits, text: say('may_be_copy') };
}
