/** The clock of the seed's service: it stands where it is put, and runs on from there. */
export class Clock {
  #at = Date.now();
  #setAt = performance.now();

  readonly now = (): Date => new Date(this.#at + performance.now() - this.#setAt);

  /** Puts it forward; never back, where something took longer than planned. */
  forwardTo(at: Date): void {
    if (at <= this.now()) return;
    this.#at = at.getTime();
    this.#setAt = performance.now();
  }

  /** Puts it where the story begins. */
  beginAt(at: Date): void {
    this.#at = at.getTime();
    this.#setAt = performance.now();
  }

  pass(seconds: number): void {
    this.#at += seconds * 1000;
  }
}
