import { attempt } from '../attempt.js';

/** Returns the current time in milliseconds, to measure durations. Works in pages that have removed `performance`. */
export function now(): number {
  return attempt(() => performance.now()) ?? Date.now();
}
