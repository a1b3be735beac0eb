import { describe } from '../descriptor.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * What a worker reads, as pairs of a reading's name and its value: spoofing that was put into the page does not reach
 * it. Only where the site names a copy of the script-tag file to start (`workerUrl`), since that takes a rule in a
 * strict CSP.
 */
export function worker(context: ReadingContext): Promise<ReadingValue> | undefined {
  const started = context.worker();
  return (
    started &&
    new Promise((resolve, reject) => {
      started.onmessage = ({ data: [claims, ...pairs] }) => {
        // Here, since workers know of no touch screen.
        const { kind, os, bits } = describe(claims);
        resolve([['operatingSystem', [kind + os, bits]], ...pairs]);
      };
      started.onerror = () => reject(new Error('The worker did not start.'));
    })
  );
}
