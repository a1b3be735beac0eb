import type { Found } from './find.js';

/** Progress of a search, and its result. */
export interface SearchReport {
  readonly stage: 'reading' | 'searching' | 'counting' | 'done';
  /** Labelled evaluations that were read, and those of them that lack a fact. */
  readonly read: number;
  readonly skipped: number;
  /** Whether there are more labelled evaluations than a search reads. */
  readonly isPartial: boolean;
  readonly found?: Found;
  /** All evaluations that were counted, with or without a label, and those that match the found rule. */
  readonly counted: number;
  readonly matched: number;
}

export const emptySearch: SearchReport = {
  stage: 'reading',
  read: 0,
  skipped: 0,
  isPartial: false,
  counted: 0,
  matched: 0,
};
