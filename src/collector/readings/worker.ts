import type { ReadingContext, ReadingValue } from '../result.js';
import { selfDescription } from '../self-description.js';

/**
 * What a worker says of the browser, beside what the page says: spoofing that was put into the page does not reach it.
 * Only where the site names a copy of the script-tag file to start (`workerUrl`), since that takes a rule in a strict
 * CSP.
 */
export function worker(context: ReadingContext): Promise<ReadingValue> | undefined {
  const started = context.worker();
  return (
    started &&
    new Promise((resolve, reject) => {
      started.onmessage = ({ data }) => resolve([JSON.stringify(data), JSON.stringify(selfDescription())]);
      started.onerror = () => reject(new Error('The worker did not start.'));
    })
  );
}
