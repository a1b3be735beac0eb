/** How long a collection runs before it yields to the page. */
const sliceMs = 4;

/** Yields to the page, until closed. */
export interface Pause {
  /**
   * Resolves in a new task if 4 ms of work have passed since the last one, otherwise immediately. Pages paint and
   * handle input between tasks. Uses a message instead of a timer, because timers are clamped to 4 ms, and to 1 s in a
   * background tab.
   */
  pause(): Promise<void>;
  /** Always resolves in a new task. */
  nextTask(): Promise<void>;
  close(): void;
}

/**
 * Creates the pauses of one collection. They share one channel, because creating a channel costs more than using it.
 */
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
