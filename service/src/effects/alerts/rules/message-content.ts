import type { AlertCondition } from '../../attention/rules/alert-condition.js';
import type { WeekSummary } from './week.js';

/** What a message says, before it is written in a language. */
export type MessageContent = AlertsContent | WeekSummary;

interface AlertsContent {
  readonly about: 'alerts';
  readonly conditions: readonly AlertCondition[];
}
