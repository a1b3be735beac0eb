/** A clock that runs with the system's, and that a test sets forward. */
export class Clock {
  #aheadMs = 0;

  readonly now = (): Date => new Date(Date.now() + this.#aheadMs);

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
