import type { ReasonEvidence } from 'whorl/wire';
import type { Decision, StoredAddress } from '../ground/vocabulary.js';
import { consumeQuotas } from '../resources/quotas/queries.js';
import { sourceQuotas } from '../resources/quotas/source-quotas.js';
import type { UnitOfWork } from '../resources/service.js';
import type { NormalisedRequest, SealedRequest } from './normalised-request.js';
import { withoutWords } from './rules/decision.js';
import type { RuleBasis } from './rules/rule-basis.js';
import { decisionsBeside } from './rules/stored-decisions.js';

/** Longer than a fingerprint of the package, which has 101 characters. */
const maxFingerprintLength = 128;
const maxUserAgentLength = 40;
const maxNameLength = 16;
/** Together with the other columns and the index entries, at most 1.5 KB (`npm run failures` in bench/). */
const maxEvidenceLength = 128;
const maxDecisionsLength = 256;

/**
 * Consumes one unit of the quotas for stored failed attempts, of the source network and the project. Returns false if
 * one of them is exhausted: the attempt is then counted, but not stored.
 */
export async function mayStoreFailure(
  { db, caller: { worldId, settings }, now }: UnitOfWork,
  { address }: NormalisedRequest,
): Promise<boolean> {
  const { stored_per_network, stored_per_day } = settings.failure_limits;
  const limits = { perNetworkAndHour: stored_per_network, perProjectAndDay: stored_per_day };
  const quotas = sourceQuotas(address?.ip, { worldId, name: 'stored_failures', ...limits });
  return (await consumeQuotas(db, quotas, now())) === undefined;
}

/**
 * Returns the part of a failed attempt's request that is stored. Anyone may send one, so whatever may be long is
 * shortened or left out, and so are contacts, which may be another person's.
 */
export function failureToSeal({ fingerprint, user_agent }: SealedRequest): SealedRequest {
  return {
    ...(fingerprint !== undefined && fingerprint.length <= maxFingerprintLength && { fingerprint }),
    ...(user_agent !== undefined && { user_agent: user_agent.slice(0, maxUserAgentLength) }),
  };
}

/** Returns what is stored about a failed attempt's address, without its place. Names in a database may be long. */
export function failureAddress({ country, asn, kind, organisation }: StoredAddress): StoredAddress {
  return {
    ...(country !== undefined && { country }),
    ...(asn !== undefined && { asn }),
    ...(kind !== undefined && { kind }),
    ...(organisation !== undefined && { organisation: organisation.slice(0, maxNameLength) }),
  };
}

/** Returns a failed attempt's findings to store: those with evidence that is short. `reasons` names all of them. */
export function failureFindings(findings: readonly ReasonEvidence[]): ReasonEvidence[] {
  let left = maxEvidenceLength;
  return findings.filter(({ evidence }) => {
    const { length } = JSON.stringify(evidence);
    const isStored = Object.keys(evidence).length > 0 && length <= left;
    if (isStored) left -= length;
    return isStored;
  });
}

/**
 * Returns a failed attempt's decisions to store, without the words of conditions: null if they follow from the basis for
 * rules. Those that are enforced come first.
 */
export function failureDecisions(
  decisions: readonly Decision[],
  basis: RuleBasis | undefined,
  isObserved: boolean,
): Decision[] | null {
  let left = maxDecisionsLength;
  const short = decisions.map(withoutWords);
  if (decisionsBeside(basis, short, isObserved) === null) return null;
  return [...short.filter(({ excused }) => !excused), ...short.filter(({ excused }) => excused)].filter((decision) => {
    left -= JSON.stringify(decision).length;
    return left >= 0;
  });
}
