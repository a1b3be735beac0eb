import type { Channel } from 'whorl/wire';
import { ApiError } from '../errors.js';
import { consumeQuota, releaseQuota, type Quota } from '../evaluation/queries/counters.js';
import type { Caller, Scope, Service, Transaction } from '../service.js';
import { daySeconds } from '../time.js';
import { codeLimits } from './rules/codes.js';

/** What was taken, and when its window began. */
export interface TakenCode {
  readonly quota: Quota;
  readonly windowStart: Date;
}

interface Recipient {
  readonly channel: Channel;
  /** Normalised. */
  readonly to: string;
}

/**
 * Takes one code from what may be sent to an address in an hour, and from what the project may send in a day.
 *
 * @throws {ApiError} `rate_limited`; nothing is taken where the transaction ends with it.
 */
export async function takeCode(scope: Scope, recipient: Recipient): Promise<TakenCode[]> {
  const { db: trx, caller } = scope;
  const toAddress = await take(trx, scope, quotaOfAddress(scope, caller, recipient), 'to this address in an hour');
  const ofProject = await take(trx, scope, quotaOfProject(caller), 'by this project in a day');
  return [toAddress, ofProject];
}

export async function giveBackCodes(trx: Transaction, taken: readonly TakenCode[]): Promise<void> {
  for (const { quota, windowStart } of taken) await releaseQuota(trx, quota, windowStart);
}

async function take(trx: Transaction, service: Service, quota: Quota, of: string): Promise<TakenCode> {
  const answer = await consumeQuota(trx, quota, service.now());
  if (answer.isAvailable) return { quota, windowStart: answer.windowStart };
  const { retryAfterSeconds } = answer;
  throw new ApiError('rate_limited', { detail: `${quota.limit} codes are sent ${of} at most.`, retryAfterSeconds });
}

/** Counted under a blind index of the address, whichever user it belongs to. */
function quotaOfAddress({ vault }: Service, { worldId }: Caller, { channel, to }: Recipient): Quota {
  const [subject, ...previousSubjects] = indexesOfAddress(vault, to, `codes.${channel}`);
  const limit = codeLimits.sendsPerAddressPerHour;
  return { worldId, name: 'codes_to_address', subject, previousSubjects, limit, windowSeconds: 3600 };
}

/** Returns the blind indexes that something of an address may be counted under, the current one first. */
export function indexesOfAddress(vault: Service['vault'], to: string, context: string): [string, ...string[]] {
  const [first, ...others] = vault.marks(to, context);
  return [first.toString('base64url'), ...others.map((mark) => mark.toString('base64url'))];
}

function quotaOfProject({ worldId, settings }: Caller): Quota {
  return {
    worldId,
    name: 'codes_of_project',
    subject: '',
    limit: settings.daily_code_limit,
    windowSeconds: daySeconds,
  };
}
