import type { Verdict } from 'whorl/wire';

/** How a challenge ended. */
export type ChallengeOutcome = 'completed' | 'skipped' | 'left open';

/** Counts what the seed created, for its output. */
export class Tally {
  readonly #counts = new Map<string, number>();

  user(): void {
    this.#add('users');
  }

  attached(): void {
    this.#add('attachments');
  }

  evaluated(verdict: Verdict): void {
    this.#add('evaluations');
    this.#add(`evaluations with verdict ${verdict}`);
  }

  failed(): void {
    this.#add('failed attempts');
  }

  challenged(ending: ChallengeOutcome): void {
    this.#add('challenges');
    this.#add(`challenges ${ending}`);
  }

  upgraded(): void {
    this.#add('browser updates');
  }

  webhook(outcome: 'delivered' | 'failed'): void {
    this.#add(`webhooks ${outcome}`);
  }

  /** The counts, sorted by name. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
