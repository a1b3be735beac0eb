import { WhorlError, type WhorlErrorCode } from '../errors.js';

/**
 * Runs a task until it settles, its time is over, or the caller's signal ends it; where that has been ended before, it
 * is not begun. The task's own signal tells it that nobody waits any more.
 *
 * @throws {WhorlError} (rejects with) `timeout` or `aborted`, or what the task rejects with.
 */
export function untilStopped<Value>(
  task: (signal: AbortSignal) => Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const end = () => {
      clearTimeout(timer);
      controller.abort();
    };
    const stop = (code: WhorlErrorCode, message: string) => () => {
      reject(new WhorlError(code, message));
      end();
    };
    const timer = setTimeout(stop('timeout', `No answer in ${timeoutMs} ms.`), timeoutMs);
    const abort = stop('aborted', 'The signal ended it.');
    if (signal?.aborted) return abort();
    // The controller's signal takes the listener away at the end.
    signal?.addEventListener('abort', abort, { signal: controller.signal });
    task(controller.signal).finally(end).then(resolve, reject);
  });
}
