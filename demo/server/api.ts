import type { Channel, DeviceStatus, Reason, Timestamp, Verdict } from 'whorl/wire';

/** The types of the API between the pages and their server. */

/** The response to GET /api/session: the options for the page, and the visitor's state. */
export interface SessionResponse {
  /** The options for `evaluate`. */
  readonly whorl: { readonly clientId: string; readonly baseUrl: string };
  readonly logIn: LogIn;
}

/** The response to POST /api/nonce. */
export interface NonceResponse {
  readonly nonce: string;
}

/** The state of a login. */
export type LogIn =
  | { readonly step: 'signed_out' }
  /** The password was correct. The page has to call `evaluate` for this user. */
  | { readonly step: 'evaluate'; readonly user: string }
  | ChallengeStep
  | SignedInStep;

/** Where a code is entered: in the demo's own page, or the service's (docs/challenge-page.md). */
export type ChallengePage = 'own' | 'service';

export interface ChallengeStep {
  readonly step: 'challenge';
  readonly page: ChallengePage;
  /** The URL of the service's page, valid once. Only in the response to the login. */
  readonly pageUrl?: string;
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** The channels for sending a code. */
  readonly channels: readonly Channel[];
  /** The newest code. `to` is masked. */
  readonly sent?: { readonly channel: Channel; readonly to: string };
}

export interface SignedInStep {
  readonly step: 'signed_in';
  readonly email: string;
  /** `few`: with fewer permissions. */
  readonly rights: 'all' | 'few';
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** Whether a challenge was completed during login. */
  readonly byCode: boolean;
  /** The token for `onDetached`. */
  readonly deviceToken?: string;
}

/** The body of every error. */
export interface Problem {
  /** Stable. The service's own code if the service returned the error. */
  readonly code: string;
  /** The text for the visitor. */
  readonly message: string;
  readonly reasons?: readonly Reason[];
  /** How long to wait before the next attempt. */
  readonly waitSeconds?: number;
  /** The visitor's new state, if it has changed. */
  readonly logIn?: LogIn;
}

/** A device in the response to GET /api/devices. */
export interface ListedDevice {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  /** Whether the device holds a key. */
  readonly proven: boolean;
  readonly lastSeenAt: Timestamp;
  readonly lastIp?: string;
  /** Whether the request came from this device. */
  readonly isThis: boolean;
}

/**
 * A request and its response, as the side panel shows them. It is sent again with the same ID when more data is
 * available.
 */
export interface Exchange {
  readonly id: string;
  /** The request during which this one was made. */
  readonly within?: string;
  readonly from: 'page' | 'server' | 'service';
  readonly to: 'server' | 'service';
  readonly method: string;
  readonly path: string;
  readonly request?: unknown;
  /** 0 if there was no response. */
  readonly status?: number;
  readonly answer?: unknown;
  readonly durationMs?: number;
}

/** A message in the mailbox. */
export interface Message {
  readonly id: string;
  readonly kind: 'mail' | 'text';
  readonly to: string;
  readonly subject?: string;
  readonly body: string;
  /** The path of the mail's HTML version. */
  readonly htmlPath?: string;
  readonly receivedAt: Timestamp;
}
