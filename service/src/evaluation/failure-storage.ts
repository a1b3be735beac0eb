import type { AddressInfo, ReasonEvidence } from 'whorl/wire';
import type { Scope } from '../service.js';
import type { NormalisedRequest, SealedRequest } from './normalised-request.js';
import { consumeQuotas } from './queries/counters.js';
import { sourceQuotas } from './source-quotas.js';

/** Longer than a fingerprint of the package, which has 101 characters. */
const maxFingerprintLength = 128;
const maxUserAgentLength = 128;
const maxPlaceLength = 40;
/** Together with the other columns and the index entries, about 1.5 KB (`npm run failures` in bench/). */
const maxEvidenceLength = 128;

/**
 * Consumes one unit of the quotas for stored failed attempts, of the source network and the project. Returns false if
 * one of them is exhausted: the attempt is then counted, but not stored.
 */
export async function mayStoreFailure(
  { db, caller: { worldId, settings }, now }: Scope,
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

/** Returns what is stored about a failed attempt's address, without its sources. Names in a database may be long. */
export function failureAddress({ country, asn, kind, city, organisation }: AddressInfo): AddressInfo {
  return {
    ...(country !== undefined && { country }),
    ...(asn !== undefined && { asn }),
    ...(kind !== undefined && { kind }),
    ...(city !== undefined && { city: city.slice(0, maxPlaceLength) }),
    ...(organisation !== undefined && { organisation: organisation.slice(0, maxPlaceLength) }),
    sources: {},
  };
}

/** Returns a failed attempt's findings to store: evidence that is long is left out. */
export function failureFindings(findings: readonly ReasonEvidence[]): ReasonEvidence[] {
  let left = maxEvidenceLength;
  return findings.map((finding) => {
    const { length } = JSON.stringify(finding.evidence);
    if (length > left) return { ...finding, evidence: {} };
    left -= length;
    return finding;
  });
}
