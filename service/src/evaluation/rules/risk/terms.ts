import type { RiskFact } from './contribution.js';
import type { Context, Relief, Suspicion } from './weights.js';

/** A weight, and how often it counts: 0 or more, but for the context. */
export type Term<Name> = readonly [name: Name, times: number];

/** One fact's evidence: what lowers the score, what raises it, what does either, and bits that need no weight. */
export interface Evidence {
  readonly fact: RiskFact;
  readonly relief?: readonly Term<Relief>[];
  readonly suspicion?: readonly Term<Suspicion>[];
  readonly context?: readonly Term<Context>[];
  readonly fixedBits?: number;
  readonly text: string;
}
