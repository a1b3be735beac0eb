import type { Generated } from 'kysely';
import type { WebhookFailure } from '../../vocabulary.js';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

/** Outbox of events, each committed together with the change that it reports. */
export interface EventTable {
  id: string;
  world_id: string;
  type: string;
  user_id: string | null;
  data: Json<object>;
  created_at: Time;
}

/** Keys of events that may exist only once, such as a signal about one user on one day. */
export interface EventOnceTable {
  world_id: string;
  once: string;
  event_id: string;
}

/** Receivers of a world's events. */
export interface WebhookEndpointTable {
  id: string;
  world_id: string;
  url: string;
  /** Sealed. */
  secret: Bytes;
  /** Previous secret, sealed. Events are also signed with it until `previous_until`. */
  previous_secret: OptionalBytes;
  previous_until: OptionalTime;
  /**
   * `failing`: all attempts for an event failed. `off`: the receiver responded with 410 and gets no events until
   * re-enabled.
   */
  status: WebhookEndpointStatus;
  created_at: Time;
}

export type WebhookEndpointStatus = 'healthy' | 'failing' | 'off';

/** Deliveries of events to endpoints. */
export interface WebhookDeliveryTable {
  world_id: string;
  event_id: string;
  endpoint_id: string;
  status: Generated<'waiting' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** Time when it is due; during an attempt, the end of the lease. */
  next_at: Time;
  /** ID of the attempt in progress, if any. */
  lease: string | null;
}

export interface WebhookAttemptTable {
  id: string;
  world_id: string;
  event_id: string;
  endpoint_id: string;
  at: Time;
  /** HTTP status; null if there was no response. */
  status: number | null;
  failure: WebhookFailure | null;
  duration_ms: number;
}

/** Background jobs. */
export interface JobTable {
  id: string;
  name: string;
  /** Contains only IDs. */
  data: Json<object>;
  /** Interval of a scheduled job, in PostgreSQL's syntax; null for a job that runs on request. */
  every: string | null;
  attempts: Generated<number>;
  /** Time when it is due; while it is running, the end of the lease. */
  next_at: Time;
  /** ID of the attempt in progress, if any. */
  lease: string | null;
}
