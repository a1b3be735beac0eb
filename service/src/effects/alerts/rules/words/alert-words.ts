import type { WatchedRate } from '../../../activity/unusual-rules.js';
import type { AlertCondition } from '../../../attention/rules/alert-condition.js';
import type { WeekWords } from './week-words.js';

/** Texts of alerts in one language, as plain text. They are escaped when inserted into HTML or a Slack message. */
export interface AlertWords {
  /** Primary language subtag (BCP 47). */
  readonly language: string;
  subject(project: string, count: number): string;
  intro(project: string): string;
  /** Precedes the link to the dashboard. */
  readonly link: string;
  describe(condition: AlertCondition): string;
  readonly week: WeekWords;
  readonly test: { subject(project: string): string; intro(project: string): string; readonly note: string };
}

/** What each rate counts. */
export type RateWords = Readonly<Record<WatchedRate, string>>;
