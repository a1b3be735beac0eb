import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { takeRandomBytes } from './crypto/random.js';

/** Leaves room to count on within one millisecond, in the 32 bits that there are. */
const FIRST_AT_MOST = 2 ** 31;
const randomBytesOfId = 16;

/** Makes UUIDs, version 7 (RFC 9562), of the moment that `now` tells; those of one millisecond sort as they were made. */
export function createIds(now: () => Date): () => string {
  let msecs = 0;
  let seq = 0;
  return () => {
    const moment = now().getTime();
    seq = moment === msecs ? seq + 1 : randomInt(FIRST_AT_MOST);
    msecs = moment;
    return v7({ msecs, seq, random: takeRandomBytes(randomBytesOfId) });
  };
}

/** Returns the moment that a UUID version 7 holds, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Returns the smallest UUID version 7 of a moment: ids from before are less, all others are not. */
export function firstIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
