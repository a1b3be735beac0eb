import type { Signal } from '../signal.js';
import { WhorlConnectionError } from './errors.js';

/** The time that a call has. It ends when that is over, or when the caller's signal is aborted. */
export interface Deadline {
  /** Aborted at the end, so that what is on its way is given up. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /**
   * What comes first: the work's outcome or the end. Also work that takes no heed of the signal does not outlast it.
   *
   * @throws {WhorlConnectionError} `timeout` or `aborted` at the end.
   */
  race<Value>(work: Promise<Value>): Promise<Value>;
  /** Waits, but not longer than to the end. */
  pause(durationMs: number): Promise<void>;
  /** To be called when the call is over. */
  clear(): void;
}

/** Starts the time of the call that errors are to name as `name`. */
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
  // A call that is over before its time races no more.
  ended.catch(() => undefined);

  const onAbort = () => end(new WhorlConnectionError('aborted', `${name} was aborted.`, outer?.reason));
  const onTimeout = () => end(new WhorlConnectionError('timeout', `${name} was not over within ${timeoutMs} ms.`));
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
