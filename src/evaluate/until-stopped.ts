import { WhorlError, type WhorlErrorCode } from '../errors.js';

/**
 * Runs a task until it settles, times out or is aborted by the caller's signal. Does not start it if the signal is
 * already aborted. The task receives a signal of its own, which is aborted when the result is no longer needed.
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
    const stop = (code: WhorlErrorCode, message: string, details?: { readonly cause: unknown }) => {
      reject(new WhorlError(code, message, details));
      end();
    };
    const timer = setTimeout(() => stop('timeout', `No response within ${timeoutMs} ms.`), timeoutMs);
    const abort = () => stop('aborted', 'Aborted by the signal.', { cause: signal?.reason });
    if (signal?.aborted) return abort();
    // The controller's signal removes the listener at the end.
    signal?.addEventListener('abort', abort, { signal: controller.signal });
    task(controller.signal).finally(end).then(resolve, reject);
  });
}
