import type { WebhookFailure } from '../../../ground/vocabulary.js';

/** Outcome of one delivery attempt. */
export interface Attempted {
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
  /** Absent if the receiver accepted the event (2xx). */
  readonly failure?: WebhookFailure;
  /** Raw `Retry-After` header of the response. */
  readonly retryAfter?: string;
}
