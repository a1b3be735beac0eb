import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Address } from '../addresses/addresses.js';
import { ApiError } from '../errors.js';
import type { Caller } from '../service.js';

/** What a burst takes comes back within so many seconds. */
const burstSeconds = 10;

/** How often something may be requested that needs no key, by one address. */
export interface Allowance {
  readonly name: string;
  readonly perSecond: number;
  /** How many at once at most, `perSecond` among them. */
  readonly burst: number;
}

/** Requests whose key is not valid. A key is too long to be guessed: this protects the database. */
export const wrongKeys: Allowance = { name: 'wrong-key', perSecond: 50, burst: 150 };

/**
 * Rate limits, counted in this process: behind a load balancer, each process allows the whole of them. A secret key has
 * so many requests a second; a publishable key so many for each address (IPv6: each /64, for a device has all of it), and
 * once in 10 s it may go beyond in a burst.
 */
export interface RateLimits {
  /**
   * Takes one request off what is left, and writes the headers that tell of it, `RateLimit` and `RateLimit-Policy`
   * (draft-ietf-httpapi-ratelimit-headers-10).
   *
   * @throws {ApiError} `rate_limited`, where nothing is left.
   */
  take(
    caller: Pick<Caller, 'keyId' | 'kind' | 'settings'>,
    address: Address | undefined,
    headers: Headers,
  ): Promise<void>;
  /**
   * Takes one request of an address off an allowance. Sets the same headers.
   *
   * @throws {ApiError} `rate_limited`, where nothing is left.
   */
  takeOf(allowance: Allowance, address: Address | undefined, headers: Headers): Promise<void>;
}

export function createRateLimits(): RateLimits {
  const limiters = new Map<string, RateLimiterMemory | BurstyRateLimiter>();
  const limiterOf = (allowance: Allowance) => {
    const name = `${allowance.name} ${allowance.perSecond} ${allowance.burst}`;
    const limiter = limiters.get(name) ?? createLimiter(allowance);
    limiters.set(name, limiter);
    return limiter;
  };
  const take = async (allowance: Allowance, key: string, headers: Headers) => {
    const { name, perSecond } = allowance;
    headers.set('RateLimit-Policy', `"${name}";q=${perSecond};w=1`);
    const outcome = await consume(limiterOf(allowance), key);
    const seconds = Math.max(1, Math.ceil(outcome.msBeforeNext / 1000));
    headers.set('RateLimit', `"${name}";r=${Math.max(0, outcome.remainingPoints)};t=${seconds}`);
    if (!outcome.isAllowed) throw new ApiError('rate_limited', { retryAfterSeconds: seconds });
  };
  return {
    take(caller, address, headers) {
      const { keyId, kind } = caller;
      const key = kind === 'secret' ? keyId : `${keyId} ${address?.network ?? ''}`;
      return take(allowanceOf(caller), key, headers);
    },
    takeOf: (allowance, address, headers) => take(allowance, address?.network ?? '', headers),
  };
}

function allowanceOf({ kind, settings }: Pick<Caller, 'kind' | 'settings'>): Allowance {
  const { secret_per_second, publishable_per_second, publishable_burst } = settings.rate_limits;
  if (kind === 'secret') return { name: kind, perSecond: secret_per_second, burst: secret_per_second };
  return { name: kind, perSecond: publishable_per_second, burst: publishable_burst };
}

function createLimiter({ perSecond, burst }: Allowance): RateLimiterMemory | BurstyRateLimiter {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  if (burst <= perSecond) return limiter;
  const bursts = new RateLimiterMemory({ points: burst - perSecond, duration: burstSeconds });
  return new BurstyRateLimiter(limiter, bursts);
}

interface Outcome extends Pick<RateLimiterRes, 'msBeforeNext' | 'remainingPoints'> {
  readonly isAllowed: boolean;
}

/** The library answers a refusal by throwing what it answers otherwise. */
async function consume(limiter: RateLimiterMemory | BurstyRateLimiter, key: string): Promise<Outcome> {
  try {
    const { msBeforeNext, remainingPoints } = await limiter.consume(key);
    return { isAllowed: true, msBeforeNext, remainingPoints };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { msBeforeNext, remainingPoints } = refusal;
    return { isAllowed: false, msBeforeNext, remainingPoints };
  }
}
