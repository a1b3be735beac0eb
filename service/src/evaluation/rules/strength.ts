import type { Strength } from 'whorl/wire';
import type { Facts } from './facts.js';

/** From weak to strong. */
const strengths: readonly Strength[] = ['fingerprint', 'corroborated', 'proven'];

/** What two users share beside the fingerprint. */
interface Shared {
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly sameKey: boolean;
}

/** How strong the evidence is that somebody else on this identity used the very device at hand. */
export function strengthOf(shared: Shared, facts: Facts): Strength {
  if (shared.sameKey) return 'proven';
  return shared.sameAddress || shared.sameContact || isRare(facts) ? 'corroborated' : 'fingerprint';
}

/** Whether so few users share this fingerprint by chance that it corroborates itself. */
function isRare({ match, settings }: Facts): boolean {
  return match.crowd !== undefined && match.crowd < settings.rare_crowd;
}

/** Whether evidence is at least so strong. Evidence without a strength is not about a device, and never is. */
export function isAtLeast(strength: Strength | undefined, floor: Strength): boolean {
  return strength !== undefined && strengths.indexOf(strength) >= strengths.indexOf(floor);
}

/** How many other users of the identity are known by evidence that is at least so strong. */
export function countOthers(facts: Facts, floor: Strength): number {
  return facts.others.filter((other) => isAtLeast(strengthOf(other, facts), floor)).length;
}
