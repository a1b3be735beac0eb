import type { Settings } from '../../resources/projects/rules/settings.js';
import type { Facts } from './facts.js';

/**
 * Returns whether an evaluation is judged by rules or by risk. A user without accepted accesses has nothing that a score
 * could compare with, so the rules apply even if the project judges by risk. A publishable key does not reveal that: its
 * verdict is only the first part, and consuming it judges with everything.
 */
export function judgedBy({ settings, isTrustedCaller, history }: Facts): Settings['judge_by'] {
  return settings.judge_by === 'risk' && isTrustedCaller && history.length === 0 ? 'rules' : settings.judge_by;
}
