import type { CountedKind, SubjectKind } from '../../../ground/vocabulary.js';

/** What evaluations are counted by. */
export interface Subject {
  readonly kind: SubjectKind;
  /** Blind index; for a device, its identity. */
  readonly key: Uint8Array;
}

/** What an evaluation is counted by: a subject, or a counter that a rule names. */
export interface CountedSubject {
  readonly kind: CountedKind;
  readonly key: Uint8Array;
}

/** Length of a slot, the unit of time in which evaluations are counted. */
export const slotMinutes = 5;

/** Periods for which counts are returned, in minutes. */
export const windowMinutes = { fiveMinutes: 5, hour: 60, day: 24 * 60 } as const;

export type Window = keyof typeof windowMinutes;

/** Counts of one subject in one window. The evaluation that is being judged is not included. */
export interface Counts {
  readonly evaluations: number;
  /** Evaluations with `outcome: failed`. */
  readonly failures: number;
  /** Successful evaluations with the action `signup`. */
  readonly signups: number;
  /** Distinct users, estimated. */
  readonly users: number;
  /** Distinct users with failures, estimated. */
  readonly failedUsers: number;
  /** Distinct identities, estimated. */
  readonly devices: number;
  /** Distinct countries of the addresses. */
  readonly countries: number;
}

/**
 * Counts of one subject. A window covers whole slots and therefore up to 5 minutes more than its name says, and the day
 * up to an hour more.
 */
export type SubjectCounts = Readonly<Record<Window, Counts>>;

/** Counts of each subject of an evaluation. A subject that is not known, such as the ASN, is absent. */
export type Velocity = Readonly<Partial<Record<SubjectKind, SubjectCounts | undefined>>>;

const none: Counts = {
  evaluations: 0,
  failures: 0,
  signups: 0,
  users: 0,
  failedUsers: 0,
  devices: 0,
  countries: 0,
};

/** Counts of a subject that was not seen within a day. */
export const noCounts: SubjectCounts = { fiveMinutes: none, hour: none, day: none };
