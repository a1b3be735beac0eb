import type { Reason } from 'whorl/wire';

/** What decides whether a challenge is left to a factor of the application. */
export interface OwnFactorFacts {
  /** The factors that the application has for the user; null if only a page has requested the challenge. */
  readonly methods: readonly string[] | null;
  readonly reasons: readonly Reason[];
}

const newPlace: readonly Reason[] = ['new_device', 'new_ip'];

/**
 * Returns whether no code may be sent for a challenge. Whoever relays a login can relay a code too, so a user with a
 * stronger factor is not offered one. As long as only a page has requested the challenge, the factors are not known, and
 * a page must not be able to choose the weaker way.
 */
export function needsOwnFactor(
  { prefer_own_factor }: { readonly prefer_own_factor: boolean },
  { methods, reasons }: OwnFactorFacts,
): boolean {
  const mayHaveFactor = methods === null || methods.length > 0;
  return prefer_own_factor && mayHaveFactor && reasons.some((reason) => newPlace.includes(reason));
}

export const ownFactorDetail =
  'The application has a factor of its own for this user. Verify the user by it, then call `complete` with `method`.';
