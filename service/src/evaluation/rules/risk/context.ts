import type { Frequencies } from './frequencies.js';

/** Numbers of users with exactly the values of a login, as far as an index can count them. */
export interface ValueCounts {
  readonly usersAtAddress: number;
  readonly usersOfDevice: number;
  /** Number of all devices of the project, including these. */
  readonly devices: number;
}

/** What the score of an evaluation depends on besides the other facts. */
export interface RiskContext {
  /** Undefined if the fingerprint is not stored. */
  readonly variantId: string | undefined;
  readonly hardwareKey: string | undefined;
  /** Failed attempts against the user within the last hour. */
  readonly failures: number;
  readonly counts: ValueCounts;
  readonly frequencies: Frequencies;
  /** A login with this score or a higher one is of high risk. */
  readonly loginThreshold: number;
}
