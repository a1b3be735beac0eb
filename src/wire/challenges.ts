import type { Channel } from './channels.js';
import type { Device, DeviceLimit } from './devices.js';
import type { PeriodQuery } from './paging.js';
import type { Reason } from './reasons.js';
import type { Success } from './response-parts.js';
import type { UserSummary } from './users.js';
import type { Action, ChallengeStatus, Timestamp } from './vocabulary.js';

/** A challenge in a list. */
export interface ChallengeSummary {
  _id: string;
  user: UserSummary;
  status: ChallengeStatus;
  reasons: Reason[];
  /** The tags that rules put on the evaluation which created it. Absent if there are none. */
  tags?: string[];
  createdAt: Timestamp;
}

/** A challenge (docs/challenges.md shows its states). */
export interface Challenge extends ChallengeSummary {
  limit: DeviceLimit;
  /**
   * The channels for which the user has an address and the service can send. If empty, no code can be sent to the user,
   * or the user has a factor of your application (`methods`, with the setting `prefer_own_factor`).
   */
  channels: Channel[];
  action: Action;
  device_id?: string;
  ip?: string;
  sent_at?: Timestamp;
  verified_at?: Timestamp;
  completed_at?: Timestamp;
  /**
   * How the user was verified: the channel of the code, or the `method` that your application completed the challenge
   * with. Null if neither is known.
   */
  verified_by: string | null;
  expires_at: Timestamp;
}

export type ListChallengesQuery = PeriodQuery;

export interface SendChallengeRequest {
  /** Default: the first channel for which the user has an address and the service can send. */
  channel?: Channel;
}

export interface SendResponse {
  challenge_id: string;
  channel: Channel;
  /** Masked. */
  sent_to: string;
  expires_at: Timestamp;
}

export interface VerifyChallengeRequest {
  code: string;
}

export interface VerifyResponse extends Success {
  /** Present after a wrong code. */
  attempts_remaining?: number;
  /**
   * With `attempts_remaining: 0`: the seconds until another code can be sent and tried, 0 if one can be sent now. Absent if
   * no more codes can be sent for the challenge.
   */
  resend_after_seconds?: number;
}

/** POST /v2/challenges/:id/complete. */
export interface CompleteChallengeRequest {
  /**
   * How your application verified the user itself, such as `passkey`, `totp` or `sso`: 1 to 64 letters, digits, `_`, `.`
   * and `-`. It becomes the challenge's `verified_by`, and needs no code.
   */
  method?: string;
}

export interface ChallengeDevices {
  data: Device[];
}

export interface KickRequest {
  /** The ID of another device of the challenge's user, not the challenged one. */
  device: string;
}

export interface DeviceHash {
  device_id: string;
  /** The device's newest fingerprint. */
  hash: string;
}
