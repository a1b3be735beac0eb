/** The clock of the seed's service. It can be set, and keeps running. */
export class Clock {
  #at = Date.now();
  #setAt = performance.now();

  readonly now = (): Date => new Date(this.#at + performance.now() - this.#setAt);

  /** Moves the clock forward, but never back, even if a step took longer than planned. */
  forwardTo(at: Date): void {
    if (at <= this.now()) return;
    this.#at = at.getTime();
    this.#setAt = performance.now();
  }

  /** Sets the clock to the start of the story. */
  beginAt(at: Date): void {
    this.#at = at.getTime();
    this.#setAt = performance.now();
  }

  pass(seconds: number): void {
    this.#at += seconds * 1000;
  }
}
