import type { Generated } from 'kysely';
import type { WebhookFailure } from '../../webhooks/rules/next-step.js';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

/** The outbox: what happened, committed with what made it happen. */
export interface EventTable {
  id: string;
  world_id: string;
  type: string;
  user_id: string | null;
  data: Json<object>;
  created_at: Time;
}

/** An event that may exist once only, such as a signal of one user on one day. */
export interface EventOnceTable {
  world_id: string;
  once: string;
  event_id: string;
}

/** Where a world's events go. */
export interface WebhookEndpointTable {
  id: string;
  world_id: string;
  url: string;
  /** Sealed. */
  secret: Bytes;
  /** The one before, sealed: events are signed with it too until its time is over. */
  previous_secret: OptionalBytes;
  previous_until: OptionalTime;
  /** `failing`: an event was given up. `off`: the receiver answered 410, and gets nothing until it is switched on again. */
  status: WebhookEndpointStatus;
  created_at: Time;
}

export type WebhookEndpointStatus = 'healthy' | 'failing' | 'off';

/** An event on its way to an endpoint. */
export interface WebhookDeliveryTable {
  world_id: string;
  event_id: string;
  endpoint_id: string;
  status: Generated<'waiting' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** When it is due; while an attempt is made, when that attempt counts as lost. */
  next_at: Time;
  /** The attempt that is made; null while none is. */
  claim: string | null;
}

export interface WebhookAttemptTable {
  id: string;
  world_id: string;
  event_id: string;
  endpoint_id: string;
  at: Time;
  /** The answer's; null where there was none. */
  status: number | null;
  failure: WebhookFailure | null;
  duration_ms: number;
}

/** A background job. */
export interface JobTable {
  id: string;
  name: string;
  /** Ids only. */
  data: Json<object>;
  /** The period of a scheduled job, as PostgreSQL writes an interval; null for a job that runs on request. */
  every: string | null;
  attempts: Generated<number>;
  /** When it is due; while somebody works on it, when the lease ends. */
  next_at: Time;
  /** The attempt under way; null while there is none. */
  claim: string | null;
}
