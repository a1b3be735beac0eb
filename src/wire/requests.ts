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
  /** The first value of `getHash`. */
  fingerprint: string;
  /** The second value of `getHash`. */
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
  /** What `getProof` resolved to: that the page holds a key (docs/proof.md). */
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
  /** Default: the first that the user has an address for. */
  channel?: Channel;
}

export interface VerifyChallengeRequest {
  code: string;
}

export interface KickRequest {
  /** The id of a device of the challenge's user, not the challenged one. */
  device: string;
}

export interface ConsumeRequest {
  user: string;
  action: Action;
  /** Of the user; kept where the user has none. What the page claimed is not. */
  email?: string;
  phone?: string;
  /** Instead of what the page sent. */
  metadata?: Metadata;
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
