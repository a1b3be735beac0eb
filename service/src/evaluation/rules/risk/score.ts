import { evidenceOf, type RiskFact } from './evidence.js';
import type { RiskFacts } from './facts.js';
import { weights } from './weights.js';

/** One fact's part of the score. */
export interface Contribution {
  readonly fact: RiskFact | 'prior';
  /** Positive bits are evidence of an attack: each doubles the odds. */
  readonly bits: number;
  readonly text: string;
}

export interface Risk {
  /** Probability in per cent, 0 to 100, that the person acting is not the account's owner. */
  readonly score: number;
  /** The bits add up to the logarithm of the odds. */
  readonly contributions: readonly Contribution[];
}

/** The share of logins with the right password that are attacks, before anything else is known. An estimate. */
export const attackShare = 0.001;

const round = (bits: number) => Math.round(bits * 100) / 100;

/** Returns the risk of a login. Pure: the same facts give the same risk. */
export function riskOf(facts: RiskFacts): Risk {
  const prior: Contribution = {
    fact: 'prior',
    bits: round(Math.log2(attackShare / (1 - attackShare)) + weights.offset),
    text: 'What is expected of any login.',
  };
  const contributions = [
    prior,
    ...evidenceOf(facts).map(({ fact, text, ...rest }) => ({ fact, bits: round(bitsOf(rest)), text })),
  ];
  const bits = contributions.reduce((sum, contribution) => sum + contribution.bits, 0);
  return { score: 100 / (1 + 2 ** -bits), contributions };
}

function bitsOf({ terms, fixedBits = 0 }: Pick<ReturnType<typeof evidenceOf>[number], 'terms' | 'fixedBits'>): number {
  return Object.entries(terms).reduce(
    (sum, [name, times]) => sum + (isWeight(name) ? weights[name] * times : 0),
    fixedBits,
  );
}

function isWeight(name: string): name is keyof typeof weights {
  return name in weights;
}
