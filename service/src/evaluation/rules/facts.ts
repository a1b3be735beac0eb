import type { ParsedFingerprint } from 'whorl/fingerprint';
import type {
  AddressInfo,
  DeclaredAgent,
  DeviceKind,
  DeviceStatus,
  MatchedBy,
  Outcome,
  ProofOutcome,
  ReasonEvidence,
  UserStatus,
} from 'whorl/wire';
import type { Velocity } from '../../recognition/velocity/rules/counts.js';
import type { ListHit } from '../../resources/lists/rules/hits.js';
import type { CounterValues } from '../../resources/projects/rules/conditions/facts.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import type { Access } from './history.js';
import type { RiskContext } from './risk/context.js';
import type { Scored } from './risk/contribution.js';

/**
 * Everything that a verdict depends on: plain data, read from the request and the database before judging. Detectors
 * read nothing else.
 */
export interface Facts {
  readonly now: Date;
  readonly action: string;
  /** Whether the action passed the application's own checks. */
  readonly outcome: Outcome;
  readonly settings: Settings;
  readonly project: { readonly createdAt: Date };
  /** Whether the request was made with a test key. */
  readonly isTest: boolean;
  /** Whether the request was made with the secret key, so that its data can be trusted. */
  readonly isTrustedCaller: boolean;
  readonly request: RequestFacts;
  readonly match: MatchFacts;
  readonly user: UserFacts;
  /** This user's device of the identity, if it has one. */
  readonly device: DeviceFacts | undefined;
  /** The user's newest accesses, newest first and at most 25. Empty for a claim, and if the user is new. */
  readonly history: readonly Access[];
  /** Undefined for a claim, which has no risk score. */
  readonly risk: RiskContext | undefined;
  /** Undefined if no address is known; detectors then find nothing about addresses. */
  readonly address: AddressFacts | undefined;
  /** Entries of the project's lists that apply. */
  readonly lists: readonly ListHit[];
  /** Number of the user's devices that count towards the limits; all 0 if this device is already one of them. */
  readonly attached: Readonly<Record<'overall' | 'mobile' | 'tablet' | 'desktop', number>>;
  /**
   * Other attached devices of this user that were seen within the settings' minutes of concurrency. Empty if there are
   * too few to matter.
   */
  readonly active: readonly { readonly deviceId: string; readonly network: string }[];
  /** Other users seen on the identity or with the proven key; at most the 50 newest of each. */
  readonly others: readonly OtherUserFacts[];
  /** Number of other users seen at the address within a day, at most the setting plus one; 0 if below the setting. */
  readonly usersAtAddress: number;
  /** Set for the actions `referral` and `signup` if the referrer exists and is not the user. */
  readonly referrer: ReferrerFacts | undefined;
  /** Numbers of earlier evaluations, by what this one has in common with them. Empty for a publishable key. */
  readonly velocity: Velocity;
  /** Values of the counters that rules name. Undefined if they name none. */
  readonly counters: CounterValues | undefined;
  /** Set if the project has far more unfamiliar failures than usual and this attempt is unfamiliar (unfamiliar.ts). */
  readonly campaign: CampaignFacts | undefined;
  /** Challenge that this browser has just completed for this action; undefined if there is none. */
  readonly challengePassed: string | undefined;
}

/** Unfamiliar failures of a project that exceed its usual rate. */
export interface CampaignFacts {
  readonly failures: number;
  readonly since: Date;
  readonly usualPerHour: number;
}

export interface RequestFacts {
  /** Undefined if the request has none. */
  readonly fingerprint: string | undefined;
  /** Undefined if the text is not in the package's format. */
  readonly parsed: ParsedFingerprint | undefined;
  /** Whether it can match: it is not a placeholder and, in the package's format, has at least 6 readable facets. */
  readonly isReadable: boolean;
  readonly userAgent: string | undefined;
  /** The agent that declared itself to the customer's server. */
  readonly agent: DeclaredAgent | undefined;
  /** Domain of the address in the request, otherwise of the user's, as entered and in ASCII. */
  readonly emailDomain: string | undefined;
  /** What the application's server sent about the action. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Outcome of the proof; undefined if there was none. */
  readonly proof: ProofOutcome | undefined;
}

export interface MatchFacts {
  readonly fingerprintId: string;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
  /**
   * Share of the project's users expected to have this fingerprint by chance, 0 to 1. Undefined if the project has too
   * few users for an estimate, or if the identity has no other users, so that nothing depends on it.
   */
  readonly crowd: number | undefined;
}

export interface UserFacts {
  readonly externalId: string;
  /** False if the user was never seen before. */
  readonly exists: boolean;
  readonly status: UserStatus;
  /** Whether any device was ever attached to the user. */
  readonly hasDevices: boolean;
  /** When the user last did not recognise a device or a change, if the account still counts as compromised. */
  readonly disownedAt: Date | undefined;
}

/** `valid`: a proof with a key of the device. `foreign`: a proof with a key that is not the device's. */
export type ProofResult = 'none' | 'valid' | 'foreign';

export interface DeviceFacts {
  readonly id: string;
  readonly status: DeviceStatus;
  readonly kind: DeviceKind;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
  readonly autoDetached: boolean;
  /** Whether the device had exactly this fingerprint when it was allowed or completed a challenge. */
  readonly knowsVariant: boolean;
  /** Whether the device ever sent a valid proof and was not detached afterwards. */
  readonly hasKeys: boolean;
  readonly proof: ProofResult;
}

export interface AddressFacts {
  readonly ip: string;
  /** Network that trust applies to: IPv4 /32, IPv6 /64. */
  readonly network: string;
  readonly trusted: boolean;
  /** Whether the address may belong to a proxy that is not in the settings, and so to many people. */
  readonly isShared?: true;
  /** What databases and lists say about it. Absent if they say nothing, which is no evidence. */
  readonly info?: AddressInfo;
}

export interface OtherUserFacts {
  readonly userId: string;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  /** Whether the user has the key that this evaluation proved. */
  readonly sameKey: boolean;
  /** Whether the user was seen on the identity within the last day. */
  readonly today: boolean;
}

export interface ReferrerFacts {
  readonly userId: string;
  readonly sameDevice: boolean;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly sameKey: boolean;
}

/** Result of a detector. Its evidence consists of names, counts and IDs, without personal data. */
export type Finding = Readonly<ReasonEvidence>;

/** Detects one reason. The policy decides how it affects the verdict. Only a reason that rests on the score gets it. */
export type Detector = (facts: Facts, scored?: Scored) => Omit<Finding, 'reason'> | undefined;
