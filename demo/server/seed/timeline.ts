import type { Clock } from './clock.js';

export const DAY_MS = 86_400_000;

/** A planned event, in days from the beginning. */
export interface Planned {
  readonly day: number;
  act(): Promise<void>;
}

/** All planned events, added in any order. */
export class Timeline {
  readonly days: number;
  readonly #planned: Planned[] = [];

  constructor(days: number) {
    this.days = days;
  }

  /** Events after the end are dropped. */
  plan(day: number, act: () => Promise<void>): void {
    if (day >= 0 && day < this.days) this.#planned.push({ day, act });
  }

  /**
   * Runs the events in order, each at its time.
   *
   * @param begin The start of day 0.
   * @param between Called after each event.
   */
  async run(clock: Clock, begin: Date, between: (passed: number) => Promise<void>): Promise<void> {
    const inOrder = this.#planned.sort((a, b) => a.day - b.day);
    for (const [index, { day, act }] of inOrder.entries()) {
      clock.forwardTo(new Date(begin.getTime() + day * DAY_MS));
      await act();
      await between((index + 1) / inOrder.length);
    }
  }
}
