import type { Channel } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';
import { daySeconds, hourSeconds } from '../ground/time.js';
import { indexesOfAddress } from '../resources/quotas/address-indexes.js';
import { consumeQuota, type Quota, releaseQuota } from '../resources/quotas/queries.js';
import type { Caller, Service, Transaction, UnitOfWork } from '../resources/service.js';
import { codeLimits } from './rules/codes.js';

/** Consumed unit of a quota, with the start of its window. */
export interface ConsumedCode {
  readonly quota: Quota;
  readonly windowStart: Date;
}

interface Recipient {
  readonly channel: Channel;
  /** Normalised. */
  readonly to: string;
}

/**
 * Consumes one code of the hourly quota of an address and of the daily quota of the project.
 *
 * @throws {ApiError} `rate_limited`; rolling back the transaction then releases what was consumed.
 */
export async function consumeCodes(work: UnitOfWork, recipient: Recipient): Promise<ConsumedCode[]> {
  const { db: trx, caller } = work;
  const toAddress = await consume(trx, work, quotaOfAddress(work, caller, recipient), 'hour to this address');
  const ofProject = await consume(trx, work, quotaOfProject(caller), 'day by this project');
  return [toAddress, ofProject];
}

export async function releaseCodes(trx: Transaction, consumed: readonly ConsumedCode[]): Promise<void> {
  for (const { quota, windowStart } of consumed) await releaseQuota(trx, quota, windowStart);
}

async function consume(trx: Transaction, service: Service, quota: Quota, period: string): Promise<ConsumedCode> {
  const result = await consumeQuota(trx, quota, service.now());
  if (result.isAvailable) return { quota, windowStart: result.windowStart };
  const { retryAfterSeconds } = result;
  throw new ApiError('rate_limited', {
    detail: `At most ${quota.limit} codes can be sent per ${period}.`,
    retryAfterSeconds,
  });
}

/** Counts by the blind index of the address, whichever user it belongs to. */
function quotaOfAddress({ vault }: Service, { worldId }: Caller, { channel, to }: Recipient): Quota {
  const [subject, ...previousSubjects] = indexesOfAddress(vault, to, `codes.${channel}`);
  const limit = codeLimits.sendsPerAddressPerHour;
  return { worldId, name: 'codes_to_address', subject, previousSubjects, limit, windowSeconds: hourSeconds };
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
