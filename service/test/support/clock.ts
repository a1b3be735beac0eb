import { onTestFinished } from 'vitest';

/** Clock that follows the system clock and that a test can move forward. */
export class Clock {
  #aheadMs = 0;
  #stoppedAtMs: number | undefined;

  readonly now = (): Date => new Date((this.#stoppedAtMs ?? Date.now()) + this.#aheadMs);

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  /**
   * Stops the clock until the end of the running test, so that slow steps do not change results that depend on seconds.
   */
  stop(): void {
    this.#stoppedAtMs = Date.now();
    onTestFinished(() => {
      this.#stoppedAtMs = undefined;
    });
  }
}
