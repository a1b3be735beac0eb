import type { Challenge } from './challenges.js';
import type { Device } from './devices.js';
import type { Reason } from './reasons.js';
import type { UserSummary } from './users.js';
import type { Timestamp } from './vocabulary.js';

/** Why a device was detached. */
export type DetachCause = 'detach' | 'kick' | 'auto_detach';

/** Why a challenge was skipped: the user said that the attempt was not theirs. */
export type SkipCause = 'disowned';

/** Why the page of a device must sign out. Includes blocking the device, and suspending or deleting its user. */
export type EndCause = DetachCause | 'block' | 'suspend' | 'delete';

/** The device was signed out, so its page must sign out too. */
export interface DetachedData {
  device_id: string;
  cause: EndCause;
  /** Absent if the user was deleted. */
  detached_at?: Timestamp;
}

/** An event about a device, for its page (docs/events.md). */
export type DeviceEvent =
  | { id: string; type: 'detached'; data: DetachedData }
  | { id: string; type: 'challenge'; data: { device_id: string; challenge_id: string } };

/** The state of a device, for a page that polls instead of reading the stream. */
export interface DeviceNews {
  data: DeviceEvent[];
  /** A newer token, once half of the current token's lifetime has passed. */
  device_token?: string;
}

/**
 * What a message to a user is about: a device that is trusted from now on, a changed address or phone number, or a denied
 * attempt with the right password.
 */
export type NoticeKind = 'new_device' | 'contact_changed' | 'denied_attempt';

/** The user said "This was not me": on a page of the application, or by the link in a message. */
export interface DisownedData {
  user: UserSummary;
  /** The device, which is signed out and blocked. Absent if the message was about none. */
  device?: Device;
  /** What the message was about. Absent for a page of the application. */
  notice?: NoticeKind;
}

/**
 * What an alert is about: an unusual rate, a campaign of credential stuffing, a webhook endpoint, a rule or data about
 * addresses that needs attention, a missing mail server, or evaluations that wait for a review.
 */
export type AlertKind =
  | 'unusual_rate'
  | 'campaign'
  | 'failing_webhook'
  | 'failing_rule'
  | 'old_address_data'
  | 'no_mail'
  | 'waiting_reviews';

/** Something that somebody should look at (docs/alerts.md). */
export interface AlertData {
  kind: AlertKind;
  /** The rate, the ID of the endpoint, the name of the rule or of the data. Absent if there is only one of the kind. */
  subject?: string;
  /** What happened, in the language of the project's alerts. */
  text: string;
  /** Page of the dashboard. */
  url: string;
}

/** The data of each event type (docs/webhooks.md). */
export interface EventData {
  'challenge.initiated': { challenge: Challenge };
  'challenge.viewed': { challenge: Challenge };
  'challenge.pending': { challenge: Challenge };
  'challenge.skipped': { challenge: Challenge; cause?: SkipCause };
  'challenge.completed': { challenge: Challenge };
  'account_sharing.signal': { user: UserSummary; reasons: Reason[]; devices: Device[] };
  'account_sharing.admin_notified': { user: UserSummary; signals: Timestamp[] };
  'device.detached': { device: Device; cause: DetachCause };
  'device.disowned': DisownedData;
  'attention.raised': AlertData;
  'user.converted': { user: UserSummary; from_user: UserSummary; device: Device };
}

export type EventType = keyof EventData;

/** The body of a webhook. `type` determines the type of `data`. */
export type WebhookEvent = {
  [Type in EventType]: { type: Type; timestamp: Timestamp; data: EventData[Type] };
}[EventType];
