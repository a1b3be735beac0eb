/** Random numbers that are the same in each run, so that the demo always has the same people. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 to below 1 (mulberry32, public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.next() * values.length)] ?? values[0];
  }

  /** Returns one of several values, chosen by weight. */
  weighted<Value>(choices: readonly [readonly [Value, number], ...(readonly [Value, number])[]]): Value {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return choices[0][0];
  }
}
