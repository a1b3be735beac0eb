/** Why there was no answer that counts. `address`: the receiver's address is not allowed. */
export type WebhookFailure = 'address' | 'dns' | 'connection' | 'tls' | 'timeout' | 'status' | 'redirect';

/** What came of one attempt to deliver. */
export interface Attempted {
  /** The answer's, if there was one. */
  readonly status?: number;
  /** Absent where the receiver took the event (2xx). */
  readonly failure?: WebhookFailure;
  /** The answer's header of this name, as it came. */
  readonly retryAfter?: string;
}

/** What becomes of a delivery. `exhausted`: it was the last attempt. `gone`: the receiver wants no more events. */
export type NextStep =
  | { readonly outcome: 'delivered' | 'exhausted' | 'gone' }
  | { readonly outcome: 'retry'; readonly at: Date };

interface Moment {
  readonly now: Date;
  /** From 0 to below 1. */
  readonly random: number;
}

const minute = 60;
const hour = 60 * minute;
/** The pause after each attempt but the last, in seconds (specification 6). */
export const retryPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** The share of a pause by which it is longer at most: what failed together does not come back together. */
export const jitterShare = 0.2;
/** A receiver cannot put off the next attempt for longer. */
export const longestRetryAfterSeconds = 24 * hour;

const GONE = 410;

/** What follows from an attempt, after so many before it. A pause is never shorter than the schedule, or `Retry-After`, says. */
export function nextStep({ status, failure, retryAfter }: Attempted, attemptsBefore: number, moment: Moment): NextStep {
  if (failure === undefined) return { outcome: 'delivered' };
  if (status === GONE) return { outcome: 'gone' };
  const pause = retryPauses[attemptsBefore];
  if (pause === undefined) return { outcome: 'exhausted' };
  const asked = retryAfter === undefined ? 0 : (retryAfterSeconds(retryAfter, moment.now) ?? 0);
  const seconds = Math.max(pause, asked) * (1 + jitterShare * moment.random);
  return { outcome: 'retry', at: new Date(moment.now.getTime() + seconds * 1000) };
}

/** Seconds from now, whichever of its two forms `Retry-After` has (RFC 9110, section 10.2.3), and 24 hours at most. */
export function retryAfterSeconds(text: string, now: Date): number | undefined {
  // Beside a date as HTTP has it, Date.parse reads much that is none, such as 1.5.
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : (date - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}
