import { addUp, bitsOfShare, type Risk } from './contribution.js';
import { type Evidence, evidenceOf } from './evidence.js';
import type { RiskFacts } from './facts.js';
import { weights } from './weights.js';

/** The share of logins with the right password that are attacks, before anything else is known. An estimate. */
export const attackShare = 0.001;

/** Returns the risk of a login. Pure: the same facts give the same risk. */
export function riskOfLogin(facts: RiskFacts): Risk {
  const prior = {
    fact: 'prior',
    bits: bitsOfShare(attackShare) + (facts.history.logins > 0 ? weights.offset : 0),
    text:
      facts.history.logins > 0
        ? 'What is expected of any login.'
        : 'What is expected of any login. The user has no earlier logins to compare with.',
  } as const;
  return addUp([
    prior,
    ...evidenceOf(facts).map((evidence) => ({ fact: evidence.fact, bits: bitsOf(evidence), text: evidence.text })),
  ]);
}

function bitsOf({ terms, fixedBits = 0 }: Evidence): number {
  return Object.entries(terms).reduce(
    (sum, [name, times]) => sum + (isWeight(name) ? weights[name] * times : 0),
    fixedBits,
  );
}

function isWeight(name: string): name is keyof typeof weights {
  return name in weights;
}
