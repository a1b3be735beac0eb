import { expect, test } from 'vitest';
import { differencesOf } from '../../../src/resources/projects/rules/project-settings/log.js';

const rule = (name: string, more: object = {}) => ({ name, when: 'action == "login"', effect: 'deny', ...more });

test.each([
  ['a number that was the default', { learning_days: { from: null, to: 3 } }, [['learning_days', '0', '3']]],
  ['a switch', { managed_challenge_page: { from: null, to: true } }, [['managed_challenge_page', 'off', 'on']]],
  [
    'what differs of an object, which may be stored in part',
    { device_limit: { from: { overall: 2 }, to: { overall: 2, mobile: 1, tablet: null, desktop: null } } },
    [['device_limit.mobile', 'none', '1']],
  ],
  [
    'cells of the policy',
    {
      policy: {
        from: { login: { velocity: 'off' } },
        to: { login: { velocity: 'deny' }, signup: { tampering: 'deny' } },
      },
    },
    [
      ['policy.login.velocity', 'off', 'deny'],
      ['policy.signup.tampering', 'default', 'deny'],
    ],
  ],
  [
    'entries of a list',
    {
      allowed_origins: {
        from: ['https://a.example', 'https://b.example'],
        to: ['https://b.example', 'https://c.example'],
      },
    },
    [['allowed_origins', 'https://a.example', 'https://c.example']],
  ],
  [
    'a list in another order',
    { allowed_origins: { from: ['a', 'b'], to: ['b', 'a'] } },
    [['allowed_origins', 'a, b', 'b, a']],
  ],
  [
    'what changed of a rule, the rules that came and went, and their order',
    {
      rules: {
        from: [rule('A', { state: 'shadow' }), rule('B'), rule('C'), rule('D')],
        to: [rule('A'), rule('C'), rule('B', { effect: 'restrict', actions: ['payout'] }), rule('E')],
      },
    },
    [
      [
        'rules',
        'name: D, when: action == "login", effect: deny, actions: all, state: on',
        'name: E, when: action == "login", effect: deny, actions: all, state: on',
      ],
      ['rules “A”.state', 'shadow', 'on'],
      ['rules “B”.effect', 'deny', 'restrict'],
      ['rules “B”.actions', 'all', 'payout'],
    ],
  ],
  [
    'a new order of rules',
    { rules: { from: [rule('A'), rule('B')], to: [rule('B'), rule('A')] } },
    [['rules, order', 'A, B', 'B, A']],
  ],
  [
    'what is no setting',
    { key_revoked: { from: 'sk_live_…abcd', to: null } },
    [['key_revoked', 'sk_live_…abcd', 'none']],
  ],
  ['what cannot be read any more', { mode: { from: 'sometimes', to: null } }, [['mode', 'sometimes', 'enforce']]],
])('the log shows %s', (_name, changes, expected) => {
  expect(differencesOf(changes).map(({ what, from, to }) => [what, from, to])).toEqual(expected);
});
