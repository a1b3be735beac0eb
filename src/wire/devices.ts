import type { PageQuery } from './paging.js';
import type { Success, WithWarnings } from './response-parts.js';
import type { DeviceKind, DeviceStatus, MatchedBy, Metadata, Timestamp } from './vocabulary.js';

/** Information about a device, from its fingerprint. */
export interface DeviceInfo {
  kind: DeviceKind;
  os: string;
  browser: string;
  browser_version?: number;
  /** A display name, such as `Chromium 156 on Linux`. */
  label: string;
}

/** The hardware of a fingerprint. Only with the setting `hardware_id`, and if enough facets could be read. */
export interface HardwareInfo {
  /** The same for all devices of the project with the same system, browser family and hardware facets. */
  hardware_id?: string;
  /** The number of devices that were recorded with this hardware. Deleted devices are included. */
  hardware_devices?: number;
}

/** A mobile, tablet or desktop computer of a user (docs/api.md). */
export interface Device extends HardwareInfo {
  _id: string;
  /** The `_id` of the device's user. */
  user: string;
  /** The customer's own identifier of that user. */
  external_user: string;
  project: string;
  /** The user's own name for it. */
  name?: string;
  info: DeviceInfo;
  status: DeviceStatus;
  metadata: Metadata;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  __v: number;
  auto_detached: boolean;
  detached_at?: Timestamp;
  fingerprint_id: string;
  trusted: boolean;
  /** Whether the device holds a key. */
  proven: boolean;
  /** Whether the customer trusts the device permanently. */
  whitelisted: boolean;
  /** Whether the device was created with a test key. */
  dev: boolean;
  last_seen_at: Timestamp;
  last_ip?: string;
  /** Where `last_ip` is, as far as it is known. In lists of a user's devices only. */
  last_place?: Place;
}

/** A place, as far as it is known. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  region?: string;
  city?: string;
}

/** How many devices of a user count towards the project's limits. */
export interface DeviceLimit {
  is_exceeded: boolean;
  overall: number;
  mobile: number;
  tablet: number;
  desktop: number;
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

export interface UpdateDeviceRequest {
  status?: 'blocked' | 'attached';
  whitelisted?: boolean;
  /** The user's own name for the device, at most 64 characters. Null removes it. */
  name?: string | null;
  /** If present, it must be the device's user. */
  user?: string;
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

export interface DeviceSuccess extends Success {
  device: Device;
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
  /** The result of `getProof`. */
  proof?: string;
}

export interface AttachResponse extends WithWarnings {
  success: boolean;
  /** The `_id` of the user. */
  user_id: string;
  device_id: string;
  fingerprint_id: string;
  attached_devices: number;
  limit: DeviceLimit;
  challenge_id?: string;
  /** With a challenge, if the project's managed challenge page is enabled: the URL of that page, valid once. */
  challenge_url?: string;
  device_token: string;
}

/** POST /v2/device/fingerprint. */
export interface FingerprintRequest {
  fingerprint: string;
  last_fingerprint?: string;
  version?: string;
}

export interface FingerprintResponse {
  fingerprint_id: string;
  confidence: number;
  matched_by: MatchedBy;
  changed: string[];
}

/** The response to a publishable key: nothing that tells whether the browser is known. */
export interface PageFingerprintResponse {
  /** The ID of exactly this fingerprint. */
  fingerprint_id: string;
}

/** POST /v2/device/nonce. */
export interface NonceRequest {
  /**
   * The visitor's IPv4 or IPv6 address. Each address has a limit of nonces. Ignored with a publishable key, where
   * the address of the connection is used.
   */
  ip?: string;
}

export interface NonceResponse {
  /** The argument of `collect` and `getProof`. Valid for one evaluation or attachment of this project and world. */
  nonce: string;
  /** 5 minutes after the nonce was created. */
  expires_at: Timestamp;
}
