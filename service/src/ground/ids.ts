import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { takeRandomBytes } from './crypto/random.js';

/** Leaves room in the 32-bit counter for more IDs within the same millisecond. */
const MAX_FIRST_COUNT = 2 ** 31;
const randomBytesOfId = 16;

/**
 * Returns a function that creates UUIDs version 7 (RFC 9562) with the time of `now`. IDs from the same millisecond sort
 * in the order of creation.
 */
export function createIds(now: () => Date): () => string {
  let msecs = 0;
  let seq = 0;
  return () => {
    const moment = now().getTime();
    seq = moment === msecs ? seq + 1 : randomInt(MAX_FIRST_COUNT);
    msecs = moment;
    return v7({ msecs, seq, random: takeRandomBytes(randomBytesOfId) });
  };
}

/** Returns the time in a UUID version 7, in milliseconds. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Returns the smallest UUID version 7 of a time: earlier IDs are less, all others are not. */
export function firstIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
