import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../ground/errors.js';
import type { Address } from '../resources/addresses/addresses.js';
import type { Caller } from '../resources/service.js';
import type { SharedDemand } from './shared-demand.js';

/** Points of a request with weight 1: the library counts whole points. */
const pointsPerRequest = 1000;

/** Interval in which a burst is refilled, in seconds. */
const burstSeconds = 10;

/** Rate limit of requests per address. */
export interface Allowance {
  readonly name: string;
  readonly perSecond: number;
  /** Maximum size of a burst, including `perSecond`. */
  readonly burst: number;
}

/** Requests with an invalid key. Keys are too long to guess; this limit protects the database. */
export const wrongKeys: Allowance = { name: 'wrong-key', perSecond: 50, burst: 150 };

/**
 * Rate limits. Processes on one database share them: see SharedDemand. A secret key has a limit per second. A publishable
 * key has one for each client address (for IPv6 each /64, because one device controls all of it), and may exceed it in
 * one burst every 10 seconds.
 */
export interface RateLimits {
  /**
   * Counts a request against its key's limit, and sets the headers `RateLimit` and `RateLimit-Policy`
   * (draft-ietf-httpapi-ratelimit-headers-10).
   *
   * @throws {ApiError} `rate_limited`, if the limit is exceeded.
   */
  consume(
    caller: Pick<Caller, 'keyId' | 'kind' | 'settings'>,
    address: Address | undefined,
    headers: Headers,
  ): Promise<void>;
  /**
   * Counts a request that a visitor of the customer's page caused: against the visitor's allowance if the address is known,
   * and against as many requests of this kind as the key may make of all others. Sets the same headers.
   *
   * @throws {ApiError} `rate_limited`, if a limit is exceeded.
   */
  consumeForVisitor(
    allowance: Allowance,
    caller: Pick<Caller, 'keyId' | 'settings'>,
    visitor: Address | undefined,
    headers: Headers,
  ): Promise<void>;
  /**
   * Counts a request against an address's allowance, and sets the same headers.
   *
   * @throws {ApiError} `rate_limited`, if the limit is exceeded.
   */
  consumeAllowance(allowance: Allowance, address: Address | undefined, headers: Headers): Promise<void>;
}

/** @param demand Default: this process is the only one. */
export function createRateLimits(demand?: Pick<SharedDemand, 'weigh'>): RateLimits {
  const limiters = new Map<string, RateLimiterMemory | BurstyRateLimiter>();
  const limiterOf = (allowance: Allowance) => {
    const name = `${allowance.name} ${allowance.perSecond} ${allowance.burst}`;
    const limiter = limiters.get(name) ?? createLimiter(allowance);
    limiters.set(name, limiter);
    return limiter;
  };
  const count = async (allowance: Allowance, key: string, headers: Headers) => {
    const { name, perSecond } = allowance;
    headers.set('RateLimit-Policy', `"${name}";q=${perSecond};w=1`);
    const weight = demand?.weigh(`${name} ${key}`, perSecond) ?? 1;
    const outcome = await consume(limiterOf(allowance), key, Math.round(weight * pointsPerRequest));
    const seconds = Math.max(1, Math.ceil(outcome.msBeforeNext / 1000));
    headers.set(
      'RateLimit',
      `"${name}";r=${Math.max(0, Math.floor(outcome.remainingPoints / pointsPerRequest / weight))};t=${seconds}`,
    );
    if (!outcome.isAllowed) throw new ApiError('rate_limited', { retryAfterSeconds: seconds });
  };
  return {
    consume(caller, address, headers) {
      const { keyId, kind } = caller;
      const key = kind === 'secret' ? keyId : `${keyId} ${address?.network ?? ''}`;
      return count(allowanceOf(caller), key, headers);
    },
    async consumeForVisitor(allowance, { keyId, settings }, visitor, headers) {
      // First, so that one visitor cannot use up what all share.
      if (visitor) await count(allowance, `${keyId} ${visitor.network}`, headers);
      const { secret_per_second } = settings.rate_limits;
      const total = { name: `${allowance.name}-total`, perSecond: secret_per_second, burst: secret_per_second };
      await count(total, keyId, headers);
    },
    consumeAllowance: (allowance, address, headers) => count(allowance, address?.network ?? '', headers),
  };
}

function allowanceOf({ kind, settings }: Pick<Caller, 'kind' | 'settings'>): Allowance {
  const { secret_per_second, publishable_per_second, publishable_burst } = settings.rate_limits;
  if (kind === 'secret') return { name: kind, perSecond: secret_per_second, burst: secret_per_second };
  return { name: kind, perSecond: publishable_per_second, burst: publishable_burst };
}

function createLimiter({ perSecond, burst }: Allowance): RateLimiterMemory | BurstyRateLimiter {
  const limiter = new RateLimiterMemory({ points: perSecond * pointsPerRequest, duration: 1 });
  if (burst <= perSecond) return limiter;
  const bursts = new RateLimiterMemory({
    points: (burst - perSecond) * pointsPerRequest,
    duration: burstSeconds,
  });
  return new BurstyRateLimiter(limiter, bursts);
}

interface Outcome extends Pick<RateLimiterRes, 'msBeforeNext' | 'remainingPoints'> {
  readonly isAllowed: boolean;
}

/** The library throws its result object if the limit is exceeded. */
async function consume(limiter: RateLimiterMemory | BurstyRateLimiter, key: string, points: number): Promise<Outcome> {
  try {
    const { msBeforeNext, remainingPoints } = await limiter.consume(key, points);
    return { isAllowed: true, msBeforeNext, remainingPoints };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { msBeforeNext, remainingPoints } = refusal;
    return { isAllowed: false, msBeforeNext, remainingPoints };
  }
}
