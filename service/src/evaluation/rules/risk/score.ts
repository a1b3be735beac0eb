import { isNewProvider } from './address.js';
import { addUp, bitsOfShare, type Risk, type RiskContribution } from './contribution.js';
import { type DeviceLevel, deviceLevelOf, isSurelyKnown } from './device.js';
import { evidenceOf } from './evidence.js';
import { copyEvidence, proofEvidence } from './proof.js';
import type { RiskFacts } from './score-facts.js';
import { say } from './sentences.js';
import type { Evidence, Term } from './terms.js';
import { weights as fitted, type Weights } from './weights.js';

/** The share of logins with the right password that are attacks, before anything else is known. An estimate. */
export const attackShare = 0.001;

/**
 * Returns the risk of a login. Pure: the same facts give the same risk. With any weights of relief and suspicion that
 * are not negative, a worse match of the device or of the address never lowers it.
 */
export function riskOfLogin(facts: RiskFacts, weights: Weights = fitted): Risk {
  const level = deviceLevelOf(facts);
  const contributions = contributionsOf(facts, level, weights);
  if (facts.history.logins === 0) return addUp(contributions);
  const withoutProof = addUp(contributions);
  const earned = () => Math.max(0, addUp(contributionsOf(facts, 'hardware', weights)).bits - withoutProof.bits);
  const proof = proofEvidence(facts, level, earned);
  const risk = proof ? addUp([...contributions, contributionOf(proof, weights)]) : withoutProof;
  const copy = isNewProvider(facts) ? copyEvidence(facts, risk.bits, proof?.fixedBits) : undefined;
  return copy ? addUp([...contributions, contributionOf(copy, weights)]) : risk;
}

/**
 * Returns whether a device is new, proves nothing, and is at an address of the user. It may belong to somebody who
 * lives there.
 */
export function isNewDeviceAtKnownAddress(facts: RiskFacts): boolean {
  const isThere = (facts.address?.address?.own ?? 0) > 0;
  return (
    facts.history.logins > 0 && isThere && facts.proof.result !== 'valid' && !isSurelyKnown(facts, deviceLevelOf(facts))
  );
}

function contributionsOf(facts: RiskFacts, device: DeviceLevel, weights: Weights): RiskContribution[] {
  const isCompared = facts.history.logins > 0;
  const prior = {
    fact: 'prior',
    bits: bitsOfShare(attackShare) + (isCompared ? weights.offset : 0),
    text: isCompared ? say('any_login') : `${say('any_login')} ${say('nothing_to_compare')}`,
  } as const;
  return [prior, ...evidenceOf(facts, device).map((evidence) => contributionOf(evidence, weights))];
}

function contributionOf(evidence: Evidence, weights: Weights): RiskContribution {
  const { fact, text, relief = [], suspicion = [], context = [], fixedBits = 0 } = evidence;
  const bits =
    fixedBits - sum(relief, weights.relief) + sum(suspicion, weights.suspicion) + sum(context, weights.context);
  return { fact, bits, text };
}

function sum<Name extends string>(terms: readonly Term<Name>[], weights: Readonly<Record<Name, number>>): number {
  return terms.reduce((total, [name, times]) => total + weights[name] * times, 0);
}
