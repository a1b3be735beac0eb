import type { AlertCondition } from '../../attention/rules/alert-condition.js';

/** What a message says, before it is written in a language. */
export interface MessageContent {
  readonly about: 'alerts';
  readonly conditions: readonly AlertCondition[];
}
