import type { Challenge, Device, UserSummary } from './resources.js';
import type { Reason, Timestamp } from './vocabulary.js';

/** Why a device was detached. */
export type DetachCause = 'detach' | 'kick' | 'auto_detach';

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
