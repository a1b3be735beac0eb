import type {
  Action,
  AddressKind,
  ChallengeStatus,
  Channel,
  DeclaredAgent,
  DeviceStatus,
  FeedbackLabel,
  MatchedBy,
  Metadata,
  Outcome,
  Reason,
  Timestamp,
  UserStatus,
  Verdict,
} from './vocabulary.js';

/** The query of every paged list. */
export interface PageQuery {
  /** Starts at 1. Default 1. */
  page?: number;
  /** Default 10, maximum 100. */
  limit?: number;
}

/** The query of a list with a period. Both ends are inclusive, and a bare end date means the whole day. */
export interface PeriodQuery extends PageQuery {
  start_date?: Timestamp;
  end_date?: Timestamp;
}

export type ListChallengesQuery = PeriodQuery;

export interface AccessHistoryQuery extends PeriodQuery {
  /** A user: `external_id`, or else `_id`. */
  user?: string;
  /** The ID of a device. */
  device?: string;
  /** Default `succeeded`. `failed` returns failed attempts instead. */
  outcome?: Outcome;
}

export interface UserDevicesQuery extends PageQuery {
  status?: DeviceStatus;
  /** Only devices whose browser was seen with this hardware. */
  hardware_id?: string;
}

/** GET /v2/devices (docs/linking.md). */
export interface DevicesQuery extends PageQuery {
  /** Only devices whose browser was seen with this hardware. */
  hardware_id: string;
  status?: DeviceStatus;
}

/** The query of a list that continues at a cursor. */
export interface CursorQuery {
  /** `next_cursor` of the previous page. Default: the newest records. */
  cursor?: string;
  /** Default 10, maximum 100. */
  limit?: number;
}

/** GET /v2/evaluations (docs/api.md). An evaluation must match all filters. */
export interface EvaluationsQuery extends CursorQuery {
  verdict?: Verdict;
  reason?: Reason;
  action?: string;
  outcome?: Outcome;
  /** The customer's identifier of the user. */
  user?: string;
  user_id?: string;
  device_id?: string;
  fingerprint_id?: string;
  /** Only if the project uses `hardware_id`. */
  hardware_id?: string;
  /** An IP address, or a range such as `198.51.100.0/24`. */
  ip?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** The number of an autonomous system. */
  asn?: string;
  address_kind?: AddressKind;
  /** The lowest `risk.score`. */
  min_score?: number;
  /** `risk.score` is lower. */
  below_score?: number;
  label?: FeedbackLabel | 'none';
  /** The status of its challenge. */
  challenge?: ChallengeStatus | 'none';
  matched_by?: MatchedBy;
  /** The name of a rule that matched it. */
  rule?: string;
  /** A tag that a rule put on it. */
  tag?: string;
  start_date?: Timestamp;
  end_date?: Timestamp;
}

/** GET /v2/users (docs/api.md). A user must match all filters. */
export interface UsersQuery extends CursorQuery {
  status?: UserStatus;
  /** The customer's identifier of the user. */
  user?: string;
  user_id?: string;
  /** The contacts that the user has: only an email address, only a phone number, both or none. */
  contact?: 'email' | 'phone' | 'both' | 'none';
  /** Whether the user has said of a device or a change: "This was not me". */
  disowned?: boolean;
  /** The lowest number of attached devices. */
  min_devices?: number;
  /** The highest number of attached devices. */
  max_devices?: number;
  /** The period in which a device of the user was last seen. */
  seen_start_date?: Timestamp;
  seen_end_date?: Timestamp;
  /** The period in which the user was created. */
  start_date?: Timestamp;
  end_date?: Timestamp;
}

/** POST /v2/users/search (docs/api.md): the users with these contacts. At least one is required. */
export interface SearchUsersRequest extends CursorQuery {
  /** In any spelling that the provider treats as the same. */
  email?: string;
  /** In the international format, such as `+491701234567`. */
  phone?: string;
}

/** POST /v2/device/evaluate (docs/api.md). */
export interface EvaluateRequest {
  action: Action;
  /** The customer's identifier of the user. */
  user: string;
  /**
   * The current fingerprint: `fingerprint` from `collect`, or the first value of `getHash`. Leave it out if your server
   * received none, or one that it cannot use. It then counts as unreadable. Required with a publishable key.
   */
  fingerprint?: string;
  /** The last saved fingerprint: `last_fingerprint` from `collect`, or the second value of `getHash`. */
  last_fingerprint?: string;
  /** The version of the browser package. */
  version?: string;
  /** The user's IPv4 or IPv6 address. Ignored with a publishable key, where the address of the connection is used. */
  ip?: string;
  email?: string;
  phone?: string;
  /** The browser's `User-Agent`. If present, it is checked against the fingerprint. */
  user_agent?: string;
  /** The result of `verifyAgent` (docs/agents.md). Ignored with a publishable key. */
  agent?: DeclaredAgent;
  /** At most 16 KiB. `referral` uses `referrer`, a user ID. */
  metadata?: Metadata;
  /** Proves that the page holds its key: `proof` from `collect`, or the result of `getProof` (docs/proof.md). */
  proof?: string;
  /**
   * Default `succeeded`. `failed` reports an attempt that your own checks rejected. It is judged and counted, and has no
   * other effect. `user` need not exist.
   */
  outcome?: Outcome;
  /**
   * The ID of a challenge that this browser completed. Accepted once, within 10 minutes after completion, for the same
   * user, action, address and device; without a readable fingerprint, the challenged request must have had none either.
   * The request is then not challenged again. Otherwise it is ignored. Ignored with a publishable key.
   */
  completed_challenge?: string;
  /**
   * The factors that your application has for this user, by which it can verify the user itself, such as `passkey` and
   * `totp`: at most 16 names of 1 to 64 letters, digits, `_`, `.` and `-`. With the setting `prefer_own_factor`, the user
   * is then offered no code for `new_device` and `new_ip`. Ignored with a publishable key.
   */
  methods?: string[];
}

/** The argument of `reportFailure`: an evaluation of an attempt that your own checks rejected. */
export type ReportFailureRequest = Omit<EvaluateRequest, 'outcome' | 'completed_challenge' | 'methods'>;

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
  /** The result of `getProof`. */
  proof?: string;
}

/** POST /v2/device/fingerprint. */
export interface FingerprintRequest {
  fingerprint: string;
  last_fingerprint?: string;
  version?: string;
}

/** POST /v2/device/nonce. */
export interface NonceRequest {
  /**
   * The visitor's IPv4 or IPv6 address. Each address has a limit of nonces. Ignored with a publishable key, where
   * the address of the connection is used.
   */
  ip?: string;
}

export interface DetachRequest {
  /** If present, it must be the device's user. */
  user?: string;
}

export interface DisownRequest {
  /** If present, it must be the device's user. */
  user?: string;
}

export interface MetadataRequest {
  /** Merged key by key; null removes a key. At most 16 KiB in total. */
  metadata: Metadata;
}

export interface UpdateDeviceRequest {
  status?: 'blocked' | 'attached';
  whitelisted?: boolean;
  /** The user's own name for the device, at most 64 characters. Null removes it. */
  name?: string | null;
  /** If present, it must be the device's user. */
  user?: string;
}

/** POST /v2/user/:id/update. Null clears a field. */
export interface UpdateUserRequest {
  email?: string | null;
  phone?: string | null;
  metadata?: Metadata | null;
  status?: UserStatus;
}

export interface SendChallengeRequest {
  /** Default: the first channel for which the user has an address and the service can send. */
  channel?: Channel;
}

export interface VerifyChallengeRequest {
  code: string;
}

/** POST /v2/challenges/:id/complete. */
export interface CompleteChallengeRequest {
  /**
   * How your application verified the user itself, such as `passkey`, `totp` or `sso`: 1 to 64 letters, digits, `_`, `.`
   * and `-`. It becomes the challenge's `verified_by`, and needs no code.
   */
  method?: string;
}

export interface KickRequest {
  /** The ID of another device of the challenge's user, not the challenged one. */
  device: string;
}

/** POST /v2/evaluations/:id/consume. */
export interface ConsumeRequest {
  /** The user that your server has authenticated. It must be the one that the evaluation was made for. */
  user: string;
  /** The action that your server is about to carry out. It must be the one that the evaluation was made for. */
  action: Action;
  /**
   * The user's email address from your own records. Saved if the user has none. Contacts that a page sends are never
   * saved.
   */
  email?: string;
  phone?: string;
  /** Replaces the metadata that the page sent. */
  metadata?: Metadata;
  /** The result of `verifyAgent` for the request in which the page sent the token (docs/agents.md). */
  agent?: DeclaredAgent;
  /** As in `evaluate`. An evaluation that your server made keeps its own. */
  methods?: string[];
  /**
   * Default `succeeded`. `failed`: your own checks rejected the action. The attempt is then counted, and has no other
   * effect. An attempt that the page reported as failed can only be consumed as failed.
   */
  outcome?: Outcome;
}

/** POST /v2/user/import. */
export interface ImportUsersRequest {
  /** At most 1,000. */
  users: ImportedUser[];
}

/** A user of your application, with what you already know. Omitted fields stay unchanged. */
export interface ImportedUser {
  /** Your own identifier of the user. */
  id: string;
  email?: string;
  phone?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** IPv4 or IPv6 addresses to trust for the user, for the project's `address_trust_days`. At most 100. */
  trusted_addresses?: string[];
  /** At most 20. */
  devices?: ImportedDevice[];
}

/** A device that you already know. It is attached to the user with this fingerprint. */
export interface ImportedDevice {
  fingerprint: string;
  last_fingerprint?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** Whether the device is trusted, with this fingerprint. Default false. */
  trusted?: boolean;
}

export interface FeedbackRequest {
  label: FeedbackLabel;
  note?: string;
}

export interface LegacyDevicesQuery {
  /** Includes whitelisted devices. Default false. */
  whitelisted?: boolean;
  /** Returns the devices of the test world instead. Default false. */
  dev?: boolean;
}
