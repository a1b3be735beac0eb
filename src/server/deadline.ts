import type { Signal } from '../signal.js';
import { WhorlConnectionError } from './errors.js';

/** The deadline of a call. It ends after its time, or when the caller's signal is aborted. */
export interface Deadline {
  /** Aborted when the deadline ends, so that pending work is cancelled. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /**
   * Settles as the work does, or rejects when the deadline ends, even if the work ignores the signal.
   *
   * @throws {WhorlConnectionError} `timeout` or `aborted` when the deadline ends.
   */
  race<Value>(work: Promise<Value>): Promise<Value>;
  /** Waits for a duration, but not beyond the deadline. */
  pause(durationMs: number): Promise<void>;
  /** Call this when the call is complete. */
  clear(): void;
}

/** Starts the deadline of a call. `name` identifies the call in errors. */
export function startDeadline(name: string, timeoutMs: number, outer: Signal | undefined): Deadline {
  const endsAt = Date.now() + timeoutMs;
  const controller = new AbortController();
  let end: (error: WhorlConnectionError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error);
      controller.abort(error);
    };
  });
  // Prevents an unhandled rejection when the call completes in time.
  ended.catch(() => undefined);

  const onAbort = () => end(new WhorlConnectionError('aborted', `${name} was aborted.`, outer?.reason));
  const onTimeout = () => end(new WhorlConnectionError('timeout', `${name} did not complete within ${timeoutMs} ms.`));
  const timer = setTimeout(onTimeout, timeoutMs);
  outer?.addEventListener('abort', onAbort);
  if (outer?.aborted) onAbort();

  const race = <Value>(work: Promise<Value>) => Promise.race([ended, work]);
  return {
    signal: controller.signal,
    race,
    remainingMs: () => endsAt - Date.now(),
    async pause(durationMs) {
      let pausing: ReturnType<typeof setTimeout> | undefined;
      try {
        await race(new Promise<void>((resolve) => (pausing = setTimeout(resolve, durationMs))));
      } finally {
        clearTimeout(pausing);
      }
    },
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
