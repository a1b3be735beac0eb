import type { AddressInfo } from 'whorl/wire';
import type { StoredAddress } from '../../../ground/vocabulary.js';
import type { ProofResult } from '../facts.js';
import type { Access } from '../history.js';
import type { ValueCounts } from './context.js';
import type { Frequencies } from './frequencies.js';

/** A login that is about to be judged, with the history and the counts that it is compared with. */
export interface LoginAttempt {
  readonly now: Date;
  /** The user's trusted accesses, newest first. */
  readonly history: readonly Access[];
  readonly identityId: string;
  /** Confidence that it is the recognised device, from 0 to 1. */
  readonly confidence: number;
  /** Undefined if the fingerprint is not stored. */
  readonly variantId: string | undefined;
  readonly hardwareKey: string | undefined;
  readonly os: string;
  readonly browser: string;
  readonly proof: ProofResult;
  /** What the user trusts already, for example by a challenge or an import. It counts as one earlier access. */
  readonly trusted: { readonly device: boolean; readonly address: boolean };
  /** Undefined if no address is known, or if it may be shared by strangers. */
  readonly network: string | undefined;
  readonly info: StoredAddress | undefined;
  /** Failed attempts against the user within the last hour. */
  readonly failures: number;
  readonly counts: ValueCounts;
  readonly frequencies: Frequencies;
}

/** How often a value was seen before: in the user's accesses, and by how many (`users`) of the counted users (`of`). */
export interface Seen {
  readonly own: number;
  readonly users: number;
  readonly of: number;
}

/** Everything that the risk score of a login depends on: plain data, counted before judging. */
export interface RiskFacts {
  readonly history: HistoryFacts;
  /** From the finest level to the coarsest. */
  readonly device: Readonly<Record<'fingerprint' | 'recognised' | 'descriptor', Seen>> & {
    readonly hardware: Pick<Seen, 'own'>;
  };
  /** Odds that it is the recognised device, in bits: 0 if it is as likely as not. */
  readonly resemblance: number;
  readonly proof: ProofFacts;
  /** Undefined if no address is known. */
  readonly address: AddressLevels | undefined;
  readonly kind: KindFacts | undefined;
  /** Speed from the last access to this one. Undefined if either position is unknown or not the person's. */
  readonly speedKmh: number | undefined;
  /** Failed attempts against the user within the last hour. */
  readonly failures: number;
}

export interface HistoryFacts {
  /** Number of the user's trusted accesses. With 0, nothing can be compared. */
  readonly logins: number;
  readonly daysSinceLast: number;
  /** Numbers of different devices and addresses among them. */
  readonly devices: number;
  readonly addresses: number;
  /** Number of different addresses of this provider in this city among them: large behind a shared gateway. */
  readonly addressesInCity: number;
  /** Share of the user's accesses, and of all accesses, within three hours of this time of day. */
  readonly hourShare: number;
  readonly generalHourShare: number;
}

/** A level is undefined if its value is not known, now or for any earlier access. That is no evidence. */
export type AddressLevels = Readonly<Record<'address' | 'network' | 'city' | 'asn' | 'country', Seen | undefined>>;

export interface ProofFacts {
  readonly result: ProofResult;
  /** Number of accesses of the recognised device, and how many of them were with its key. */
  readonly deviceLogins: number;
  readonly proven: number;
}

export interface KindFacts {
  readonly kind: NonNullable<AddressInfo['kind']>;
  /** Whether the user had a trusted access from such a network before. */
  readonly isUsual: boolean;
}
