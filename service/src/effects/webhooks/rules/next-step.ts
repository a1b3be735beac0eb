import { daySeconds, hourSeconds, minuteSeconds } from '../../../ground/time.js';
import type { Attempted } from '../../../resources/events/rules/attempted.js';

/** Next step of a delivery. `exhausted`: all attempts have failed. `gone`: the receiver wants no more events. */
export type NextStep =
  | { readonly outcome: 'delivered' | 'exhausted' | 'gone' }
  | { readonly outcome: 'retry'; readonly at: Date };

interface Moment {
  readonly now: Date;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: number;
}

/** Delays between attempts, in seconds: see docs/webhooks.md. */
const retryPauses: readonly number[] = [
  5,
  5 * minuteSeconds,
  30 * minuteSeconds,
  2 * hourSeconds,
  5 * hourSeconds,
  10 * hourSeconds,
  14 * hourSeconds,
  20 * hourSeconds,
  daySeconds,
];
/**
 * Maximum share that is added to a delay at random, so that deliveries that failed together are not all retried
 * together.
 */
const jitterShare = 0.2;
/** Upper limit for a delay that a receiver requests with `Retry-After`. */
const maxRetryAfterSeconds = daySeconds;

const GONE = 410;

/** Returns the next step after an attempt. The delay is never shorter than the schedule or `Retry-After` requires. */
export function nextStep({ status, failure, retryAfter }: Attempted, attemptsBefore: number, moment: Moment): NextStep {
  if (failure === undefined) return { outcome: 'delivered' };
  if (status === GONE) return { outcome: 'gone' };
  const pause = retryPauses[attemptsBefore];
  if (pause === undefined) return { outcome: 'exhausted' };
  const requested = retryAfter === undefined ? 0 : (retryAfterSeconds(retryAfter, moment.now) ?? 0);
  const seconds = Math.max(pause, requested) * (1 + jitterShare * moment.random);
  return { outcome: 'retry', at: new Date(moment.now.getTime() + seconds * 1000) };
}

/**
 * Returns the delay that `Retry-After` requests, in either of its forms (RFC 9110, section 10.2.3), in seconds and at
 * most 24 hours; undefined if it is malformed.
 */
export function retryAfterSeconds(text: string, now: Date): number | undefined {
  // `Date.parse` accepts more than HTTP dates, such as 1.5.
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : (date - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}
