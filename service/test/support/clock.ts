import { onTestFinished } from 'vitest';

/** A clock that runs with the system's, and that a test sets forward. */
export class Clock {
  #aheadMs = 0;
  #stoppedAtMs: number | undefined;

  readonly now = (): Date => new Date((this.#stoppedAtMs ?? Date.now()) + this.#aheadMs);

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Until the end of the running test it stands, wherever that sets it: what counts seconds may take its time. */
  stop(): void {
    this.#stoppedAtMs = Date.now();
    onTestFinished(() => {
      this.#stoppedAtMs = undefined;
    });
  }
}
