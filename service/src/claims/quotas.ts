import { createHash } from 'node:crypto';
import { sourceNetwork } from '../addresses/addresses.js';
import { indexesOfAddress } from '../challenges/quotas.js';
import { ApiError } from '../errors.js';
import { consumeQuotas, type Quota } from '../evaluation/queries/counters.js';
import type { Caller, Database, Service } from '../service.js';

/** What is counted of claims. */
export type ClaimUse = 'evaluations' | 'codes' | 'tries';

const hour = 3600;
const day = 24 * hour;

/**
 * A project's quota is divided into so many parts, and a source network belongs to one of them: whoever uses up its part
 * from a few networks leaves the others theirs.
 */
const parts = 64;

/** Codes that claims may have sent to one address in an hour, beside those that the secret key sends. */
const codesPerAddress = 20;

/**
 * Consumes one of what the claims of a source network, and those of the project, may do. Nothing here is counted for the
 * user that a claim names.
 *
 * @param ip Where the claim came from; undefined where the connection has no address.
 * @throws {ApiError} `rate_limited`
 */
export async function consumeClaimQuota(
  db: Database,
  { now }: Service,
  { worldId, settings }: Caller,
  use: ClaimUse,
  ip: string | undefined,
): Promise<void> {
  const network = ip === undefined ? '' : sourceNetwork(ip);
  const limits = settings.claim_limits;
  const perNetwork = limits[`${use}_per_network`];
  const perProject = limits[`${use}_per_day`];
  const quotas: Quota[] = [
    { worldId, name: `claim_${use}_of_network`, subject: network, limit: perNetwork, windowSeconds: hour },
    {
      ...{ worldId, name: `claim_${use}_of_project`, subject: partOf(network) },
      ...{ limit: Math.ceil(perProject / parts), windowSeconds: day },
    },
  ];
  const refusal = await consumeQuotas(db, quotas, now());
  if (!refusal) return;
  throw new ApiError('rate_limited', {
    detail: 'Too many requests from this network with a publishable key. Try again later.',
    retryAfterSeconds: refusal.retryAfterSeconds,
  });
}

/** Consumes one of the codes that claims may have sent to an address. Returns false where none is left. */
export async function consumeCodeToAddress(
  db: Database,
  { vault, now }: Service,
  { worldId }: Caller,
  to: string,
): Promise<boolean> {
  const [subject, ...formerSubjects] = indexesOfAddress(vault, to, 'claim.codes');
  const name = 'claim_codes_to_address';
  const quota = { worldId, name, subject, formerSubjects, limit: codesPerAddress, windowSeconds: hour };
  return (await consumeQuotas(db, [quota], now())) === undefined;
}

function partOf(network: string): string {
  return String(createHash('sha256').update(network).digest().readUInt16BE() % parts);
}
