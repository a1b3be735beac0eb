import { ApiError } from '../errors.js';

/**
 * Waits for work, but not for ever. Work that is late goes on behind the caller's back, and gives back its connection at
 * its end: the database ends each statement after a while.
 *
 * @throws {ApiError} `timeout`.
 */
export async function withDeadline<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError('timeout', { detail: `The request was not answered within ${timeoutMs} ms.` }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
