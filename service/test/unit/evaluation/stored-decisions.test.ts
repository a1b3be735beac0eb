import { describe, expect, test } from 'vitest';
import { decodeDecisions, encodeDecisions } from '../../../src/evaluation/rules/stored-decisions.js';

/** Rows keep these positions for ever, so they are written out here. */
const effects = [
  [2, 'restrict'],
  [3, 'challenge'],
  [4, 'challenge_and_restrict'],
  [5, 'deny'],
] as const;
const excuses = [
  'trust',
  'address_change',
  'allow_entry',
  'rule',
  'completed_challenge',
  'weak_evidence',
  'risk_score',
  'takeover_protection_off',
  'learning_days',
  'test_key',
  'observe_mode',
  'shadow',
  'rule_failed',
] as const;

describe('stored decisions', () => {
  test.each(effects)('have the effect %i for %s', (position, effect) => {
    const decision = { reason: 'new_ip', effect } as const;
    expect(encodeDecisions([decision], ['new_device', 'new_ip'])).toEqual([[1, position]]);
    expect(decodeDecisions([[1, position]], ['new_device', 'new_ip'])).toEqual([decision]);
  });

  test('say what excused them, what was left, and that the project replaced the cell', () => {
    const positions = excuses.map((_excuse, position) => position);
    const excused = { by: excuses, left: 'report' } as const;
    const decision = { reason: 'new_ip', effect: 'deny', overridden: true, excused } as const;
    expect(encodeDecisions([decision], ['new_ip'])).toEqual([[0, 5, 1, 1, ...positions]]);
    expect(decodeDecisions([[0, 5, 1, 1, ...positions]], ['new_ip'])).toEqual([decision]);
  });
});
