import { ApiError } from '../../ground/errors.js';
import { hourSeconds } from '../../ground/time.js';
import { indexesOfAddress } from '../../resources/quotas/address-indexes.js';
import { consumeQuotas } from '../../resources/quotas/queries.js';
import { sourceQuotas } from '../../resources/quotas/source-quotas.js';
import type { Database, UnitOfWork } from '../../resources/service.js';

/** Uses of claims that have quotas. */
export type ClaimUse = 'evaluations' | 'codes' | 'tries';

/** Number of codes per hour that claims may send to one address, in addition to those that the secret key sends. */
const codesPerAddress = 20;

/**
 * Consumes one unit of the quotas of a source network and of the project. Nothing is counted for the user that a claim
 * names.
 *
 * @param ip Source address of the claim; undefined if the connection has none.
 * @throws {ApiError} `rate_limited`
 */
export async function consumeClaimQuota(
  { db, caller: { worldId, settings }, now }: UnitOfWork<Database>,
  use: ClaimUse,
  ip: string | undefined,
): Promise<void> {
  const limits = settings.claim_limits;
  const quotas = sourceQuotas(ip, {
    worldId,
    name: `claim_${use}`,
    perNetworkAndHour: limits[`${use}_per_network`],
    perProjectAndDay: limits[`${use}_per_day`],
  });
  const refusal = await consumeQuotas(db, quotas, now());
  if (!refusal) return;
  throw new ApiError('rate_limited', {
    detail: 'Too many requests from this network with a publishable key. Try again later.',
    retryAfterSeconds: refusal.retryAfterSeconds,
  });
}

/** Consumes one unit of the quota of codes that claims may send to an address. Returns false if it is exhausted. */
export async function consumeCodeToAddress(
  { db, caller: { worldId }, vault, now }: UnitOfWork<Database>,
  to: string,
): Promise<boolean> {
  const [subject, ...previousSubjects] = indexesOfAddress(vault, to, 'claim.codes');
  const name = 'claim_codes_to_address';
  const quota = { worldId, name, subject, previousSubjects, limit: codesPerAddress, windowSeconds: hourSeconds };
  return (await consumeQuotas(db, [quota], now())) === undefined;
}
