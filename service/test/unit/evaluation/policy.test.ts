import { describe, expect, test } from 'vitest';
import type { IntegrityBit } from 'whorl/fingerprint';
import { reasons } from 'whorl/wire';
import { judge } from '../../../src/evaluation/rules/judge.js';
import { type Changes, facts, fingerprint } from './facts.js';
import { situations } from './situations.js';

/** Returns the reasons and the verdict of an evaluation. */
function answer(...changes: Parameters<typeof facts>) {
  const { verdict, findings } = judge(facts(...changes));
  return { verdict, reasons: findings.map(({ reason }) => reason) };
}

describe.each(['login', 'signup', 'referral'] as const)('%s', (action) => {
  test('a known device at a trusted address has no reasons', () => {
    expect(answer({ action })).toEqual({ verdict: 'allow', reasons: [] });
  });

  test.each(situations)(`$reason, $when: $${action}`, (situation) => {
    const expected = situation[action];
    const given = answer({ ...situation.changes, action });
    expect(given.reasons.includes(situation.reason)).toBe(expected !== '–');
    expect(given.verdict).toBe(expected === 'report' || expected === '–' ? 'allow' : expected);
    // The email domain does not apply to logins, so it cannot occur there.
    const beside = (situation.beside ?? []).filter((reason) => action !== 'login' || reason !== 'disposable_email');
    expect(given.reasons.filter((reason) => reason !== situation.reason)).toEqual(beside);
  });
});

test('every reason has a situation that raises it', () => {
  expect(new Set(situations.map(({ reason }) => reason))).toEqual(new Set(reasons));
});

test.each(['password_reset', 'payment', 'delete_account'])(
  '%s has no column, and is evaluated like a login',
  (action) => {
    const judgedAlike = situations.filter(({ reason }) => reason !== 'account_compromised');
    for (const { changes } of judgedAlike) expect(answer({ ...changes, action })).toEqual(answer(changes));
  },
);

test.each([
  ['login', 'challenge'],
  ['password_reset', 'challenge'],
  ['payment', 'challenge_and_restrict'],
])('a compromised account: %s gets %s', (action, verdict) => {
  const given = answer({ user: { disownedAt: facts().now }, action });
  expect(given).toEqual({ verdict, reasons: ['account_compromised'] });
});

describe('several reasons', () => {
  test('the strictest one counts', () => {
    const changes = { others: [{ sameKey: true }], referrer: { sameAddress: true }, action: 'referral' };
    expect(answer(changes)).toEqual({ verdict: 'deny', reasons: ['multiple_accounts', 'self_referral'] });
  });

  test('restrict and challenge combine to challenge_and_restrict', () => {
    const settings = { policy: { login: { multiple_accounts: 'restrict' } } } as const;
    const changes = { device: null, others: [{ sameAddress: true }], settings };
    expect(answer(changes)).toEqual({
      verdict: 'challenge_and_restrict',
      reasons: ['new_device', 'multiple_accounts'],
    });
  });

  test('are listed in the order of the table', () => {
    const { findings } = judge(facts({ device: null, address: { trusted: false }, user: { status: 'suspended' } }));
    expect(findings.map(({ reason }) => reason)).toEqual(['new_device', 'new_ip', 'blocked']);
  });
});

describe("a project's override of a cell", () => {
  test('applies only to its column', () => {
    const settings = { policy: { signup: { new_device: 'challenge' } } } as const;
    expect(answer({ device: null, action: 'signup', settings }).verdict).toBe('challenge');
    expect(answer({ device: null, action: 'referral', settings }).verdict).toBe('allow');
  });

  test('can be less strict', () => {
    const settings = { policy: { login: { new_device: 'report' } } } as const;
    expect(answer({ device: null, settings })).toEqual({ verdict: 'allow', reasons: ['new_device'] });
  });

  test('off removes the reason, also as corroboration of another', () => {
    const settings = { policy: { signup: { velocity: 'off' } } } as const;
    const changes = situations.find(({ when }) => when === 'the address is too fast too')?.changes;
    expect(answer({ ...changes, action: 'signup' })).toEqual({ verdict: 'deny', reasons: ['velocity', 'automation'] });
    expect(answer({ ...changes, action: 'signup', settings })).toEqual({
      verdict: 'restrict',
      reasons: ['automation'],
    });
  });

  test('also replaces the conditions', () => {
    const settings = { policy: { signup: { automation: 'restrict' } } } as const;
    const changes = situations.find(({ when }) => when === 'the address is too fast too')?.changes;
    expect(answer({ ...changes, action: 'signup', settings }).verdict).toBe('restrict');
  });

  test('still only reports open developer tools and broken checks, and acts on a driven browser', () => {
    const settings = { policy: { signup: { automation: 'deny' } } } as const;
    const verdictWith = (...bits: IntegrityBit[]) =>
      answer({ request: fingerprint('dlc141', bits), action: 'signup', settings });
    expect(verdictWith('inspected')).toEqual({ verdict: 'allow', reasons: ['automation'] });
    expect(verdictWith('unreadable_check')).toEqual({ verdict: 'allow', reasons: ['automation'] });
    expect(verdictWith('inspected', 'unreadable_check')).toEqual({ verdict: 'allow', reasons: ['automation'] });
    expect(verdictWith('inspected', 'driver_traces').verdict).toBe('deny');
    expect(verdictWith('unreadable_check', 'driver_traces').verdict).toBe('deny');
    expect(verdictWith('webdriver').verdict).toBe('deny');
    const off = { policy: { signup: { automation: 'off' } } } as const;
    expect(answer({ request: fingerprint('dlc141', ['webdriver']), action: 'signup', settings: off }).reasons).toEqual(
      [],
    );
  });

  test('can raise a reason that the table does not', () => {
    const settings = { policy: { login: { disposable_email: 'restrict' } } } as const;
    expect(answer({ request: { emailDomain: 'mailinator.com' }, settings })).toEqual({
      verdict: 'restrict',
      reasons: ['disposable_email'],
    });
  });

  test('cannot make a fingerprint alone do more than report', () => {
    const settings = { policy: { signup: { multiple_accounts: 'deny', self_referral: 'deny' } } } as const;
    const changes = { others: [{}, {}, {}], referrer: { sameDevice: true }, action: 'signup', settings };
    expect(answer(changes)).toEqual({ verdict: 'allow', reasons: ['multiple_accounts', 'self_referral'] });
  });

  test('denies a shared device only with proof', () => {
    const settings = { policy: { signup: { multiple_accounts: 'deny', self_referral: 'deny' } } } as const;
    const shared = (sameKey: boolean) => ({ sameDevice: true, sameAddress: true, sameKey });
    const verdict = (changes: Changes) => answer({ action: 'signup', settings, ...changes }).verdict;
    expect(verdict({ others: [shared(false)] })).toBe('challenge_and_restrict');
    expect(verdict({ others: [shared(true)] })).toBe('deny');
    expect(verdict({ referrer: shared(false) })).toBe('challenge_and_restrict');
    expect(verdict({ referrer: shared(true) })).toBe('deny');
  });

  test('cannot make an address alone deny', () => {
    const cells = { new_ip: 'deny', velocity: 'deny', self_referral: 'deny' } as const;
    const settings = { policy: { login: cells } };
    for (const changes of [
      { address: { trusted: false } },
      { usersAtAddress: 30 },
      { referrer: { sameAddress: true } },
    ])
      expect(answer({ ...changes, settings }).verdict).toBe('challenge_and_restrict');
  });
});
