import { dayMs, hourMs } from '../../../ground/time.js';
import type { WatchedRate } from '../../activity/unusual-rules.js';

/** Maximum number of waiting reviews that are counted. */
export const maxCountedReviews = 1000;

/** Returns the start of the last 24 full hours, in which campaigns are looked for. */
export function startOfRecent(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs - dayMs);
}

/** Something that somebody should look at, with what a message about it says. */
export type AlertCondition =
  /** A rate of the hour that begins at `hour` (ISO 8601) is far from that of earlier weeks. */
  | {
      readonly kind: 'unusual_rate';
      readonly rate: WatchedRate;
      readonly count: number;
      /** Median of the same hour in earlier weeks. */
      readonly usual: number;
      readonly hour: string;
    }
  /** Evaluations of about the last 24 hours belong to a campaign of credential stuffing. */
  | { readonly kind: 'campaign'; readonly evaluations: number }
  /** An endpoint fails, or was switched off. The URL has no query. */
  | {
      readonly kind: 'failing_webhook';
      readonly endpoint: string;
      readonly url: string;
      readonly status: 'failing' | 'off';
    }
  /** The condition of a rule of the project fails. */
  | { readonly kind: 'failing_rule'; readonly rule: string }
  /** Data about addresses is old, by its label. */
  | { readonly kind: 'old_address_data'; readonly source: string }
  /** No mail transport is configured. */
  | { readonly kind: 'no_mail' }
  /** Evaluations wait for a review, at least as many as are counted if there are more. */
  | { readonly kind: 'waiting_reviews'; readonly evaluations: number; readonly areMore: boolean };

/** Returns what a condition is about, among those of its kind. Empty if there is only one of the kind. */
export function subjectOf(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'unusual_rate':
      return condition.rate;
    case 'failing_webhook':
      return condition.endpoint;
    case 'failing_rule':
      return condition.rule;
    case 'old_address_data':
      return condition.source;
    default:
      return '';
  }
}
