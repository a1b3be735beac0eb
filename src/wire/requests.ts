import type { Action, Channel, DeviceStatus, FeedbackLabel, Metadata, Timestamp, UserStatus } from './vocabulary.js';

/** Query of every paged list. */
export interface PageQuery {
  /** From 1. Default 1. */
  page?: number;
  /** Default 10, at most 100. */
  limit?: number;
}

/** Query of a list that can be cut by time; both ends are included, and a bare end date means the whole day. */
export interface PeriodQuery extends PageQuery {
  start_date?: Timestamp;
  end_date?: Timestamp;
}

export type ListChallengesQuery = PeriodQuery;

export interface AccessHistoryQuery extends PeriodQuery {
  /** A user: `external_id`, or else `_id`. */
  user?: string;
  /** The id of a device. */
  device?: string;
}

export interface UserDevicesQuery extends PageQuery {
  status?: DeviceStatus;
}

/** POST /v2/device/evaluate (specification 4.4). */
export interface EvaluateRequest {
  action: Action;
  /** The customer's identifier of the user. */
  user: string;
  /** The current fingerprint: the field of `collect`, the first value of `getHash`. */
  fingerprint: string;
  /** The last saved fingerprint: the field of `collect`, the second value of `getHash`. */
  last_fingerprint?: string;
  /** Version of the browser package. */
  version?: string;
  /** The user's IPv4 or IPv6 address. Ignored with a publishable key: the connection's counts. */
  ip?: string;
  email?: string;
  phone?: string;
  /** The browser's `User-Agent`, checked against the fingerprint where given. */
  user_agent?: string;
  /** 16 KiB at most. `referral` reads `referrer`, a user id. */
  metadata?: Metadata;
  /** Shows that the page holds its key: the field of `collect`, or what `getProof` resolved to (docs/proof.md). */
  proof?: string;
}

/** POST /v2/device/attach. */
export interface AttachRequest {
  user: string;
  fingerprint: string;
  last_fingerprint?: string;
  version?: string;
  ip?: string;
  email?: string;
  phone?: string;
  metadata?: Metadata;
  /** What `getProof` resolved to. */
  proof?: string;
}

/** POST /v2/device/fingerprint. */
export interface FingerprintRequest {
  fingerprint: string;
  last_fingerprint?: string;
  version?: string;
}

export interface DetachRequest {
  /** Checked against the device's user where given. */
  user?: string;
}

export interface MetadataRequest {
  /** Merged key by key; null removes a key. 16 KiB at most in all. */
  metadata: Metadata;
}

export interface UpdateDeviceRequest {
  status?: 'blocked' | 'attached';
  whitelisted?: boolean;
}

/** Null clears. */
export interface UpdateUserRequest {
  email?: string | null;
  phone?: string | null;
  metadata?: Metadata | null;
  status?: UserStatus;
}

export interface SendChallengeRequest {
  /** Default: the first on which the user has an address and the service can send. */
  channel?: Channel;
}

export interface VerifyChallengeRequest {
  code: string;
}

export interface KickRequest {
  /** The id of a device of the challenge's user, not the challenged one. */
  device: string;
}

/** POST /v2/evaluations/:id/consume. */
export interface ConsumeRequest {
  /** The user that your server has authenticated. It must be the one that the evaluation was made for. */
  user: string;
  /** The action that your server is about to carry out. It must be the one that the evaluation was made for. */
  action: Action;
  /** The user's, from your own records. Saved where the user has none; what a page says of them is not saved. */
  email?: string;
  phone?: string;
  /** Replaces what the page sent. */
  metadata?: Metadata;
}

/** POST /v2/user/import. */
export interface ImportUsersRequest {
  /** 1,000 at most. */
  users: ImportedUser[];
}

/** A user of yours, with what you know of them already. Fields that are left out stay as they are. */
export interface ImportedUser {
  /** Your own identifier of the user. */
  id: string;
  email?: string;
  phone?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** IPv4 or IPv6 addresses that become trusted for the user, for the project's `address_trust_days`. 100 at most. */
  trusted_addresses?: string[];
  /** 20 at most. */
  devices?: ImportedDevice[];
}

/** A device that is known from elsewhere. It is attached to the user in this fingerprint. */
export interface ImportedDevice {
  fingerprint: string;
  last_fingerprint?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** Whether the device is trusted, in this fingerprint. Default false. */
  trusted?: boolean;
}

export interface FeedbackRequest {
  label: FeedbackLabel;
  note?: string;
}

export interface LegacyDevicesQuery {
  /** Also the whitelisted ones. Default false. */
  whitelisted?: boolean;
  /** The test world's devices instead. Default false. */
  dev?: boolean;
}
