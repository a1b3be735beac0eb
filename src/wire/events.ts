import type { Challenge, Device, UserSummary } from './resources.js';
import type { Reason, Timestamp } from './vocabulary.js';

/** Why a device was detached. */
export type DetachCause = 'detach' | 'kick' | 'auto_detach';

/** Why the page of a device has to sign out: also its block, or that its user was suspended or deleted. */
export type EndCause = DetachCause | 'block' | 'suspend' | 'delete';

/** The device was signed out: its page has to sign out too. */
export interface DetachedData {
  device_id: string;
  cause: EndCause;
  /** Absent where the user was deleted. */
  detached_at?: Timestamp;
}

/** What happened to a device, for its page (docs/events.md). */
export type DeviceEvent =
  | { id: string; type: 'detached'; data: DetachedData }
  | { id: string; type: 'challenge'; data: { device_id: string; challenge_id: string } };

/** How a device stands, for a page that asks now and then instead of reading the stream. */
export interface DeviceNews {
  data: DeviceEvent[];
  /** A newer token, where half of the time of the one that was sent is over. */
  device_token?: string;
}

/** What each event carries, by its type (specification 6). */
export interface EventData {
  'challenge.initiated': { challenge: Challenge };
  'challenge.viewed': { challenge: Challenge };
  'challenge.pending': { challenge: Challenge };
  'challenge.skipped': { challenge: Challenge };
  'challenge.completed': { challenge: Challenge };
  'account_sharing.signal': { user: UserSummary; reasons: Reason[]; devices: Device[] };
  'account_sharing.admin_notified': { user: UserSummary; signals: Timestamp[] };
  'device.detached': { device: Device; cause: DetachCause };
  'user.converted': { user: UserSummary; from_user: UserSummary; device: Device };
}

export type EventType = keyof EventData;

/** The body of a webhook. `type` tells what `data` is. */
export type WebhookEvent = {
  [Type in EventType]: { type: Type; timestamp: Timestamp; data: EventData[Type] };
}[EventType];
