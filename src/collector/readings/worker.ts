import { describe } from '../descriptor.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Reads values in a worker: the name of each reading, its value, and its duration. Spoofing in the page does not reach
 * the worker. Only with `workerUrl`.
 *
 * A strict CSP needs a rule for a worker, so the site provides a copy of its file.
 */
export function worker(context: ReadingContext): Promise<ReadingValue> | undefined {
  const started = context.worker();
  return (
    started &&
    new Promise((resolve, reject) => {
      started.onmessage = ({ data: [claims, ...told] }) => {
        // Computed in the page, because workers cannot read touch points.
        const { kind, os, bits } = describe(claims);
        resolve([['operatingSystem', [kind + os, bits]], ...told]);
      };
      started.onerror = reject;
    })
  );
}
