import type { ReadingContext, ReadingValue } from '../result.js';
import { selfDescription, workerName } from '../self-description.js';

/**
 * What a worker says of the browser, beside what the page says: spoofing that was put into the page does not reach it.
 * Only where the site names a copy of the script-tag file to start (`workerUrl`), since that takes a rule in a strict
 * CSP.
 */
export async function worker({ workerUrl }: ReadingContext): Promise<ReadingValue | undefined> {
  if (!workerUrl) return undefined;
  const started = new Worker(workerUrl, { name: workerName });
  try {
    return await new Promise<ReadingValue>((resolve, reject) => {
      started.onmessage = ({ data }) => resolve([JSON.stringify(data), JSON.stringify(selfDescription())]);
      started.onerror = () => reject(new Error(`The worker at ${workerUrl} did not start.`));
    });
  } finally {
    started.terminate();
  }
}
