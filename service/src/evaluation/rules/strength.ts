import type { Strength } from 'whorl/wire';
import type { Facts, Finding } from './facts.js';

/** Weakest first. */
const strengths: readonly Strength[] = ['fingerprint', 'corroborated', 'proven'];

/** What two users have in common besides the fingerprint. */
interface Shared {
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly sameKey: boolean;
}

/** Returns the strength of the evidence that another user of this identity used this device. */
export function strengthOf(shared: Shared, facts: Facts): Strength {
  if (shared.sameKey) return 'proven';
  return shared.sameAddress || shared.sameContact || isRare(facts) ? 'corroborated' : 'fingerprint';
}

/** Returns whether the fingerprint is rare enough to be corroborating evidence by itself. */
function isRare({ match, settings }: Facts): boolean {
  return match.crowd !== undefined && match.crowd < settings.rare_fingerprint_share;
}

/** Returns whether evidence has a minimum strength. Evidence without a strength, not about a device, never has. */
export function isAtLeast(strength: Strength | undefined, minimum: Strength): boolean {
  return strength !== undefined && strengths.indexOf(strength) >= strengths.indexOf(minimum);
}

/**
 * Returns whether a source of failed attempts tells something about this one. The whole project and a provider have too
 * many honest people, and so does a common fingerprint.
 */
export function isOwnSource(source: string, facts: Facts): boolean {
  return source === 'address' || source === 'network' || (source === 'device' && isRare(facts));
}

/** Returns whether evidence of failed attempts names a source that this attempt comes from. */
export function isFromSource({ evidence }: Finding, facts: Facts): boolean {
  return Object.keys(evidence).some((source) => isOwnSource(source, facts));
}

/** Returns the number of other users of the identity with evidence of a minimum strength. */
export function countOthers(facts: Facts, minimum: Strength): number {
  return facts.others.filter((other) => isAtLeast(strengthOf(other, facts), minimum)).length;
}
