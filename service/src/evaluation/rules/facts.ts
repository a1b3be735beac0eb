import type { ParsedFingerprint } from 'whorl/fingerprint';
import type { DeviceKind, DeviceStatus, MatchedBy, ProofOutcome, ReasonEvidence, UserStatus } from 'whorl/wire';
import type { Settings } from '../../projects/rules/settings.js';

/**
 * Everything that a verdict is made from: plain data, read from the request and the database before anything is judged.
 * Detectors read facts and nothing else.
 */
export interface Facts {
  readonly now: Date;
  readonly action: string;
  readonly settings: Settings;
  readonly project: { readonly createdAt: Date };
  /** Made with a test key. */
  readonly isTest: boolean;
  /** Made with the secret key, so that what the request says is not a mere claim. */
  readonly isTrustedCaller: boolean;
  readonly request: RequestFacts;
  readonly match: MatchFacts;
  readonly user: UserFacts;
  /** This user's own device of the identity, if it has one. */
  readonly device: DeviceFacts | undefined;
  /** Undefined where no address is known: nothing about addresses is then noticed. */
  readonly address: AddressFacts | undefined;
  /** Devices of the user that count towards the limits. Of none, where the one at hand is among them. */
  readonly attached: Readonly<Record<'overall' | 'mobile' | 'tablet' | 'desktop', number>>;
  /**
   * Attached devices of this user seen within the settings' minutes of concurrency, without the one at hand. None, where they are
   * too few to be noticed.
   */
  readonly active: readonly { readonly deviceId: string; readonly network: string }[];
  /** Other users seen on the identity, or with the key that was proved; at most 50 of each, the newest. */
  readonly others: readonly OtherUserFacts[];
  /** Other users seen at the address within a day; counted up to the setting plus one. 0, where they are fewer than it. */
  readonly usersAtAddress: number;
  /** With action `referral` or `signup` and a referrer that exists and is not the user. */
  readonly referrer: ReferrerFacts | undefined;
}

export interface RequestFacts {
  readonly fingerprint: string;
  /** The fingerprint taken apart; undefined for an opaque text. */
  readonly parsed: ParsedFingerprint | undefined;
  /** Whether it can match anything: no placeholder, and at least 6 readable facets where it is ours. */
  readonly isReadable: boolean;
  readonly userAgent: string | undefined;
  /** Normalised. The one of the request, or else the user's. */
  readonly email: string | undefined;
  /** What came of the proof; undefined where there was none. */
  readonly proof: ProofOutcome | undefined;
}

export interface MatchFacts {
  readonly fingerprintId: string;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
  /**
   * The share of the project's users expected to have this fingerprint by chance, 0 to 1. Undefined where the project
   * has too few users to tell, and where nobody else is tied to the identity, so that nothing depends on it.
   */
  readonly crowd: number | undefined;
}

export interface UserFacts {
  readonly externalId: string;
  /** False: never seen before. */
  readonly exists: boolean;
  readonly status: UserStatus;
  /** Whether any device was ever attached. */
  readonly hasDevices: boolean;
}

/** A valid proof shows a key of the device; `foreign` one that is not the device's. */
export type ProofResult = 'none' | 'valid' | 'foreign';

export interface DeviceFacts {
  readonly id: string;
  readonly status: DeviceStatus;
  readonly kind: DeviceKind;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
  readonly autoDetached: boolean;
  /** Whether this very fingerprint was on the device when it was allowed or completed a challenge. */
  readonly knowsVariant: boolean;
  /** Whether it ever proved itself, and was not detached since. */
  readonly hasKeys: boolean;
  readonly proof: ProofResult;
}

export interface AddressFacts {
  readonly ip: string;
  /** What trust covers: IPv4 /32, IPv6 /64. */
  readonly network: string;
  readonly trusted: boolean;
  /** Whether it may be that of a proxy which was not named, and so everybody's. */
  readonly isShared?: true;
}

export interface OtherUserFacts {
  readonly userId: string;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  /** Holds the very key that this evaluation proved. */
  readonly sameKey: boolean;
  /** Seen on the identity within the last day. */
  readonly today: boolean;
}

export interface ReferrerFacts {
  readonly userId: string;
  readonly sameDevice: boolean;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly sameKey: boolean;
}

/** What a detector noticed. Its evidence holds names, counts and ids, and no personal data. */
export type Finding = Readonly<ReasonEvidence>;

/** Notices one reason, or nothing. What it does to the verdict is the policy's concern. */
export type Detector = (facts: Facts) => Finding | undefined;
