import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/evaluation/rules/judge.js';
import { listKinds } from '../../../src/ground/vocabulary.js';
import { type Changes, daysAgo, facts, fingerprint, times } from './facts.js';

const newcomer: Changes = {
  device: null,
  address: { trusted: false },
  user: { exists: false, hasDevices: false },
  attached: { overall: 0, desktop: 0 },
};
const driven = { request: fingerprint('dlc141', ['webdriver']) };

/** Returns what becomes trusted, and the verdict. */
function outcome(changes: Changes) {
  const { verdict, trustsFirstDevice, trustsAddress } = judge(facts(changes));
  return { verdict, device: trustsFirstDevice, address: trustsAddress };
}

const nothing = { device: false, address: false };

describe('the first device of an account', () => {
  const signup = { ...newcomer, action: 'signup' };

  test('is trusted with its address when the secret key allows the signup', () => {
    expect(outcome(signup)).toEqual({ verdict: 'allow', device: true, address: true });
  });

  test('is trusted without an address if none is known', () => {
    expect(outcome({ ...signup, address: null })).toEqual({ verdict: 'allow', device: true, address: false });
  });

  test.each<[string, Changes]>([
    ['a publishable key', { isTrustedCaller: false }],
    ['a user that exists', { user: { exists: true, hasDevices: false } }],
    ['another action', { action: 'referral' }],
    ['a fingerprint that nothing matches', { request: { isReadable: false } }],
  ])('is not trusted with %s', (_name, changes) => {
    expect(outcome({ ...signup, ...changes })).toEqual({ verdict: 'allow', ...nothing });
  });

  test('is not trusted if the signup is not allowed, also in observe mode', () => {
    expect(outcome({ ...signup, ...driven })).toEqual({ verdict: 'restrict', ...nothing });
    const settings = { mode: 'observe' } as const;
    expect(outcome({ ...signup, ...driven, settings })).toEqual({ verdict: 'allow', ...nothing });
  });
});

describe('observe mode', () => {
  const settings = { mode: 'observe' } as const;

  test.each<[string, Changes]>([
    ['challenge', newcomer],
    ['deny', { user: { status: 'suspended' } }],
    ['allow', {}],
  ])('allows, with the observed verdict %s', (observedVerdict, changes) => {
    expect(judge(facts({ ...changes, settings }))).toMatchObject({ verdict: 'allow', observedVerdict });
  });

  test('names the same reasons', () => {
    expect(judge(facts({ ...newcomer, settings })).findings).toEqual(judge(facts(newcomer)).findings);
  });

  test('reports what the other value of judge_by would decide', () => {
    // Only a judgement by risk finds a high risk of a detached device.
    const judged = (more: Changes['settings']) =>
      judge(
        facts({
          device: { status: 'detached' },
          history: [{}],
          risk: { loginThreshold: 101 },
          settings: { policy: { login: { high_risk: 'restrict' } }, ...more },
        }),
      );
    const byRules = judged({ judge_by: 'rules' }).verdict;
    const byRisk = judged({ judge_by: 'risk' }).verdict;
    expect(byRisk).not.toBe(byRules);
    const inRules = { observedVerdict: byRules, alternativeVerdict: byRisk };
    expect(judged({ ...settings, judge_by: 'rules' })).toMatchObject(inRules);
    const inRisk = { observedVerdict: byRisk, alternativeVerdict: byRules };
    expect(judged({ ...settings, judge_by: 'risk' })).toMatchObject(inRisk);
  });

  test('there is no observed verdict in enforce mode', () => {
    expect(judge(facts())).not.toHaveProperty('observedVerdict');
  });
});

describe('learning days', () => {
  const settings = { learning_days: 7 };
  const young = { project: { createdAt: daysAgo(6.9) }, settings };
  const known = { ...newcomer, user: { exists: true, hasDevices: false } };

  test('the first device of a user is allowed and trusted with its address, and the reasons stay', () => {
    expect(outcome({ ...known, ...young })).toEqual({ verdict: 'allow', device: true, address: true });
    expect(judge(facts({ ...known, ...young })).findings.map(({ reason }) => reason)).toEqual(['new_device', 'new_ip']);
  });

  test('also for an unknown user', () => {
    expect(outcome({ ...newcomer, ...young })).toEqual({ verdict: 'allow', device: true, address: true });
  });

  test('a second device is not', () => {
    const user = { hasDevices: true };
    expect(outcome({ ...known, ...young, user })).toEqual({ verdict: 'challenge', ...nothing });
  });

  test.each<[string, Changes, string]>([
    ['another reason that only reports', { others: times(1) }, 'challenge'],
    ['a driven browser', driven, 'challenge'],
    ['a fingerprint that nothing matches', { request: { isReadable: false } }, 'challenge'],
    ['a suspended user', { user: { hasDevices: false, status: 'suspended' } }, 'deny'],
  ])('not with %s', (_name, changes, verdict) => {
    expect(outcome({ ...known, ...young, ...changes })).toEqual({ verdict, ...nothing });
  });

  test('not after they have ended, and not by default', () => {
    const challenged = { verdict: 'challenge', ...nothing };
    expect(outcome({ ...known, settings, project: { createdAt: daysAgo(7) } })).toEqual(challenged);
    expect(outcome({ ...known, project: { createdAt: daysAgo(0) } })).toEqual(challenged);
    // Created by a process whose clock is ahead.
    expect(outcome({ ...known, project: { createdAt: daysAgo(-1) } })).toEqual(challenged);
  });

  test('a publishable key is allowed, and does not create trust', () => {
    expect(outcome({ ...known, ...young, isTrustedCaller: false })).toEqual({ verdict: 'allow', ...nothing });
  });

  test('the device is also learned in observe mode', () => {
    const observing = { ...known, ...young, settings: { ...settings, mode: 'observe' } } as const;
    expect(judge(facts(observing))).toMatchObject({ observedVerdict: 'allow', trustsFirstDevice: true });
  });
});

describe('a publishable key', () => {
  test('gets the same verdict as the secret key', () => {
    const given = judge(facts({ ...driven, isTrustedCaller: false }));
    // Rules decide nothing for a publishable key, so there is nothing to try other rules on.
    const { basis: _, ...bySecret } = judge(facts(driven));
    expect(given).toEqual(bySecret);
  });
});

describe('a test key', () => {
  test('reports automation, also with reasons that would make it deny', () => {
    const changes = { ...driven, isTest: true, action: 'signup', usersAtAddress: 30 };
    expect(outcome(changes).verdict).toBe('allow');
    expect(outcome({ ...driven, isTest: true }).verdict).toBe('allow');
    expect(judge(facts({ ...driven, isTest: true })).findings.map(({ reason }) => reason)).toEqual(['automation']);
  });

  test('enforces it if the project sets this', () => {
    const settings = { enforce_for_test_keys: true };
    expect(outcome({ ...driven, isTest: true, settings }).verdict).toBe('challenge');
  });

  test.each<[string, Changes]>([
    [
      'other accounts in the browser',
      { action: 'signup', others: [{ sameKey: true }, { sameKey: true }, { sameKey: true }] },
    ],
    ['a referrer with the same key', { action: 'referral', referrer: { sameKey: true } }],
    ['many users at the address', { action: 'signup', usersAtAddress: 30 }],
  ])('reports %s', (_name, changes) => {
    expect(outcome({ ...changes, isTest: true }).verdict).toBe('allow');
    expect(outcome({ ...changes, isTest: true, settings: { enforce_for_test_keys: true } }).verdict).not.toBe('allow');
    expect(outcome(changes).verdict).not.toBe('allow');
  });

  test('enforces everything else', () => {
    expect(outcome({ ...newcomer, isTest: true }).verdict).toBe('challenge');
  });
});

describe('lists', () => {
  const tampered = { request: fingerprint('dlc141', ['proxied_function']) };

  const blocking = { id: 'blocking', kind: 'country', effect: 'block' } as const;

  test.each(listKinds)('with an allowed %s, only blocks are enforced, and everything is reported', (kind) => {
    const lists = [{ id: 'allowing', kind, effect: 'allow' }] as const;
    expect(outcome({ ...tampered, lists }).verdict).toBe('allow');
    expect(judge(facts({ ...tampered, lists })).findings.map(({ reason }) => reason)).toEqual(['tampering', 'list']);
    expect(outcome({ ...tampered, lists, user: { status: 'suspended' } }).verdict).toBe('deny');
    expect(outcome({ lists: [...lists, blocking] }).verdict).toBe('deny');
  });

  test('a review changes no verdict', () => {
    const lists = [{ id: 'review', kind: 'asn', effect: 'review' }] as const;
    expect(outcome({ lists }).verdict).toBe('allow');
    expect(outcome({ ...tampered, lists }).verdict).toBe('challenge_and_restrict');
  });

  test('an address that may be shared allows nobody, and blocks', () => {
    const address = { isShared: true } as const;
    const listed = (effect: 'allow' | 'block') => [{ id: 'entry', kind: 'address', effect }] as const;
    expect(outcome({ ...tampered, address, lists: listed('allow') }).verdict).toBe('challenge_and_restrict');
    expect(outcome({ ...tampered, address, lists: listed('block') }).verdict).toBe('deny');
  });
});
