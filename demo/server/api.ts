import type { Channel, DeviceStatus, Reason, Timestamp, Verdict } from 'whorl/wire';

/** What the pages and their server say to each other. */

/** Answer to GET /api/session: what a page has to know, and where its visitor stands. */
export interface SessionAnswer {
  /** What the page gives to `evaluate`. */
  readonly whorl: { readonly clientId: string; readonly baseUrl: string };
  readonly logIn: LogIn;
}

/** Answer to POST /api/nonce. */
export interface NonceAnswer {
  readonly nonce: string;
}

/** How far somebody has come. */
export type LogIn =
  | { readonly step: 'signed_out' }
  /** The password was right; the page has to call `evaluate` for this user. */
  | { readonly step: 'evaluate'; readonly user: string }
  | ChallengeStep
  | SignedInStep;

/** Where a code is entered: in the demo's own page, or the service's (docs/challenge-page.md). */
export type ChallengePage = 'own' | 'service';

export interface ChallengeStep {
  readonly step: 'challenge';
  readonly page: ChallengePage;
  /** The service's page, good once: in the answer to the login alone. */
  readonly pageUrl?: string;
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** Where a code can be sent. */
  readonly channels: readonly Channel[];
  /** The newest code. `to` is masked. */
  readonly sent?: { readonly channel: Channel; readonly to: string };
}

export interface SignedInStep {
  readonly step: 'signed_in';
  readonly email: string;
  /** `few`: with less allowed. */
  readonly rights: 'all' | 'few';
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** Whether a challenge was completed on the way in. */
  readonly byCode: boolean;
  /** What the page gives to `onDetached`. */
  readonly deviceToken?: string;
}

/** Body of every error. */
export interface Problem {
  /** Stable. The service's own code where the service refused. */
  readonly code: string;
  /** For the visitor. */
  readonly message: string;
  readonly reasons?: readonly Reason[];
  /** How long to wait before it makes sense to try again. */
  readonly waitSeconds?: number;
}

/** One device in the answer to GET /api/devices. */
export interface ListedDevice {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  /** Holds a key. */
  readonly proven: boolean;
  readonly lastSeenAt: Timestamp;
  readonly lastIp?: string;
  /** The device that asks. */
  readonly isThis: boolean;
}

/** A request and its answer, as the side panel shows them. It is sent again, with the same id, whenever more is known. */
export interface Exchange {
  readonly id: string;
  /** The request in the course of which this one was made. */
  readonly within?: string;
  readonly from: 'page' | 'server' | 'service';
  readonly to: 'server' | 'service';
  readonly method: string;
  readonly path: string;
  readonly request?: unknown;
  /** 0 where there was no answer. */
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
  /** Where the HTML form of a mail can be seen. */
  readonly htmlPath?: string;
  readonly receivedAt: Timestamp;
}
