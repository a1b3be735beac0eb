import type { Clock } from './clock.js';

export const DAY_MS = 86_400_000;

/** What happens, in days from the beginning. */
export interface Planned {
  readonly day: number;
  act(): Promise<void>;
}

/** Everything that is going to happen, planned in any order. */
export class Timeline {
  readonly days: number;
  readonly #planned: Planned[] = [];

  constructor(days: number) {
    this.days = days;
  }

  /** What would come after the end is left out. */
  plan(day: number, act: () => Promise<void>): void {
    if (day >= 0 && day < this.days) this.#planned.push({ day, act });
  }

  /**
   * Lets it happen, one after the other, each at its time.
   *
   * @param begin When day 0 begins.
   * @param between What is to be done after each.
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
