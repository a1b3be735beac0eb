import type { Risk, RiskContribution, RiskFact } from 'whorl/wire';

export type { Risk, RiskContribution, RiskFact };

/** What the score of an evaluation shows. */
export interface Scored {
  readonly risk: Risk;
  /** Whether a login's device is new and at an address of the user: see `isNewDeviceAtKnownAddress`. */
  readonly isNewDeviceAtKnownAddress: boolean;
}

/** Rounds to two digits, as many as the API shows. */
export const round = (value: number) => Math.round(value * 100) / 100;

/** Returns the logarithm of the odds of a probability, in bits. */
export function bitsOfShare(share: number): number {
  return Math.log2(share / (1 - share));
}

/** Returns the probability in per cent that odds in bits stand for, with all its digits. */
export function percentOf(bits: number): number {
  return 100 / (1 + 2 ** -bits);
}

/**
 * Returns the risk that contributions add up to. The bits are rounded first, and the score last, so that anyone can
 * check the sum by hand.
 */
export function addUp(contributions: readonly RiskContribution[]): Risk {
  const rounded = contributions.map(({ fact, bits, text }) => ({ fact, bits: round(bits), text }));
  const bits = round(rounded.reduce((total, contribution) => total + contribution.bits, 0));
  return { score: round(percentOf(bits)), bits, contributions: rounded };
}
