import { describe } from '../descriptor.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Reads values in a worker, as pairs of a reading's name and its value. Spoofing in the page does not reach the worker.
 * Only with `workerUrl`.
 *
 * A strict CSP needs a rule for a worker, so the site provides a copy of its file.
 */
export function worker(context: ReadingContext): Promise<ReadingValue> | undefined {
  const started = context.worker();
  return (
    started &&
    new Promise((resolve, reject) => {
      started.onmessage = ({ data: [claims, ...pairs] }) => {
        // Computed in the page, because workers cannot read touch points.
        const { kind, os, bits } = describe(claims);
        resolve([['operatingSystem', [kind + os, bits]], ...pairs]);
      };
      started.onerror = reject;
    })
  );
}
