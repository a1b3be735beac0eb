import { attempt } from '../attempt.js';
import { now } from './now.js';

/** How long a collection runs before it yields to the page. */
const sliceMs = 4;

/** How long to wait for a message that never arrives, because something in the page replaced the channel. */
const lostMs = 50;

/** Yields to the page, until closed. */
export interface Pause {
  /**
   * Resolves in a new task if 4 ms of work have passed since the last one, otherwise immediately. Pages paint and
   * handle input between tasks. Uses a message instead of a timer, because timers are clamped to 4 ms, and to 1 s in a
   * background tab. A timer replaces a message that does not arrive.
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
  // A set, because pages can define setters that arrays inherit.
  const waiting = new Set<() => void>();
  let resumedAt = now();
  const port = attempt(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const [next] = waiting;
      next?.();
    };
    return port2;
  });
  const nextTask = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        waiting.delete(end);
        clearTimeout(timer);
        resumedAt = now();
        resolve();
      };
      const timer = setTimeout(end, lostMs);
      waiting.add(end);
      port?.postMessage(0);
    });
  return {
    nextTask,
    pause: async () => {
      if (now() - resumedAt >= sliceMs) await nextTask();
    },
    close: () => port?.close(),
  };
}
