/** How long a collection may work before it gives way to the page. */
const sliceMs = 4;

/** Gives way to the page, until closed. */
export interface Pause {
  /**
   * Resolves in a new task where the work since the last one has taken 4 ms, else at once. Pages paint and answer their
   * users between tasks. A message rather than a timer: timers are clamped to 4 ms, and to a second in a background
   * tab.
   */
  pause(): Promise<void>;
  /** Resolves in a new task, always. */
  nextTask(): Promise<void>;
  close(): void;
}

/** One channel for all pauses of a collection: to make one costs more than to use it. */
export function createPause(): Pause {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  let resumedAt = performance.now();
  port1.onmessage = () => {
    resumedAt = performance.now();
    waiting.shift()?.();
  };
  const nextTask = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
  return {
    nextTask,
    pause: async () => {
      if (performance.now() - resumedAt >= sliceMs) await nextTask();
    },
    close: () => port1.close(),
  };
}
