import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/evaluation/rules/judge.js';
import { countFrequencies, noFrequencies, placesOf } from '../../../src/evaluation/rules/risk/frequencies.js';
import { riskFactsOf } from '../../../src/evaluation/rules/risk/risk-facts.js';
import { riskOfLogin } from '../../../src/evaluation/rules/risk/score.js';
import type { LoginAttempt } from '../../../src/evaluation/rules/risk/score-facts.js';
import { riskOfSignUp, signUpWeights } from '../../../src/evaluation/rules/risk/sign-up.js';
import { loginThreshold, scoresOf } from '../../../src/evaluation/rules/risk/threshold.js';
import { noCounts } from '../../../src/recognition/velocity/rules/counts.js';
import { defaultSettings } from '../../../src/resources/projects/rules/settings.js';
import { type Changes, daysAgo, defaultAccess, defaultRisk, facts, now, times } from './facts.js';

const read = (page: string) => readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
const docs = read('risk.md');
const info = { country: 'DE', asn: 3320, city: 'Berlin', sources: {} };

/** A login like all earlier ones. */
const attempt: LoginAttempt = {
  now,
  history: Array.from({ length: 20 }, (_, index) => ({ ...defaultAccess, at: daysAgo(index + 3), info })),
  identityId: 'identity',
  confidence: 0.99,
  variantId: 'variant',
  hardwareKey: 'hardware',
  os: 'Linux',
  browser: 'Chromium',
  proof: 'none',
  trusted: { device: false, address: false },
  network: '198.51.100.7',
  info,
  failures: 0,
  counts: { usersAtAddress: 1, usersOfDevice: 1, devices: 5000 },
  frequencies: noFrequencies,
};
const elsewhere: LoginAttempt = {
  ...attempt,
  identityId: 'other',
  variantId: 'other',
  hardwareKey: 'other',
  os: 'Android',
  network: '203.0.113.9',
  info: { country: 'US', asn: 9009, kind: 'vpn', sources: {} },
};

describe('facts of the score', () => {
  test('count the values of a login in the history', () => {
    const { device, address, history } = riskFactsOf(attempt);
    expect(device.fingerprint).toEqual({ own: 20, users: 1, of: 6000 });
    expect(address?.city).toEqual({ own: 20, users: 0, of: 0 });
    expect(riskFactsOf({ ...attempt, confidence: 0.5 }).resemblance).toBe(0);
    expect(riskFactsOf({ ...attempt, confidence: 0.8 }).resemblance).toBeCloseTo(2);
    expect(riskFactsOf({ ...attempt, confidence: 1 }).resemblance).toBeLessThan(Infinity);
    expect(history).toMatchObject({ logins: 20, devices: 1, addresses: 1, addressesInCity: 1, daysSinceLast: 3 });
  });

  test('find nothing of a stranger', () => {
    const { device, address, kind } = riskFactsOf(elsewhere);
    for (const seen of [...Object.values(device), ...Object.values(address ?? {})]) expect(seen?.own ?? 0).toBe(0);
    expect(kind).toEqual({ kind: 'vpn', isUsual: false });
  });

  test('do not compare places that were never known, and know nobody at a place without data', () => {
    const unknown = { address: expect.anything(), network: expect.anything(), city: undefined, asn: undefined };
    expect(riskFactsOf({ ...attempt, info: undefined }).address?.country?.own).toBe(0);
    const history = attempt.history.map((access) => ({ ...access, info: undefined }));
    expect(riskFactsOf({ ...attempt, history }).address).toEqual({ ...unknown, country: undefined });
  });

  test('count trust, which a challenge or an import gave, as one access', () => {
    const trusted = riskFactsOf({ ...elsewhere, trusted: { device: true, address: true } });
    expect(trusted.device.recognised.own).toBe(1);
    expect(trusted.address?.address?.own).toBe(1);
  });
});

describe('frequencies', () => {
  test('count each user once', () => {
    const sample = ['anna', 'anna', 'bert'].map((userId) => ({ ...defaultAccess, userId, info }));
    const counted = countFrequencies(sample);
    expect(counted).toMatchObject({ users: 2, accesses: 3 });
    expect(counted.seen.get('country DE')).toBe(2);
    expect(counted.seen.get('descriptor Linux Chromium')).toBe(2);
    expect(counted.hours[12]).toBe(3);
  });

  test.each([
    ['198.51.100.7', '198.51.100'],
    ['2001:db8:5:6::/64', '2001:db8:5'],
    ['2001:db8::/64', '2001:db8:0'],
    ['::/64', '0:0:0'],
  ])('widen the network %s to %s', (network, wider) => {
    expect(placesOf({ ...defaultAccess, network }).network).toBe(wider);
  });
});

describe('the threshold', () => {
  const setting = { ...defaultSettings.risk, threshold: 2, challenge_at_most: 5 };
  const scores = Array.from({ length: 100 }, (_, index) => (index + 1) / 10);

  test('is the setting, unless a share of logins is set and there are enough', () => {
    expect(loginThreshold({ ...setting, challenge_at_most: null }, scores)).toBe(2);
    expect(loginThreshold(setting, scores.slice(1))).toBe(2);
  });

  test.each([0, 1, 5, 50])('of at most %i %% is reached by no more of the logins', (percent) => {
    for (const given of [scores, scores.map(() => 1e-9), scores.map((score) => Math.ceil(score))]) {
      const threshold = loginThreshold({ ...setting, threshold: 100, challenge_at_most: percent }, given);
      expect(given.filter((score) => score >= threshold).length).toBeLessThanOrEqual(percent);
    }
    expect(loginThreshold({ ...setting, challenge_at_most: 5 }, scores)).toBeCloseTo(9.5, 3);
  });

  test('never moves above ten times the setting, so that logins cannot let an attack in', () => {
    expect(loginThreshold({ ...setting, threshold: 0.2 }, scores)).toBe(2);
  });

  test('counts the newest login of each user and of each address', () => {
    const login = (userId: string, network: string | null, score: number) => ({ userId, network, score });
    const newest = [login('anna', 'a', 9), login('anna', 'b', 8), login('bert', 'a', 7), login('carl', null, 6)];
    expect(scoresOf([...newest, login('dora', 'd', 5)])).toEqual([5, 6, 9]);
  });

  test('of 100% is reached by all', () => {
    expect(loginThreshold({ ...setting, challenge_at_most: 100 }, scores)).toBe(0);
  });
});

describe('the score of a sign-up', () => {
  test('grows with the strength of the evidence and the number of other accounts', () => {
    const scoreOf = (others: Parameters<typeof times>) => {
      const given = facts({ action: 'signup', others: times(...others), risk: {} });
      return judge(given).risk?.score ?? 0;
    };
    const scores = [
      scoreOf([1]),
      scoreOf([1, { sameAddress: true }]),
      scoreOf([4, { sameAddress: true }]),
      scoreOf([4, { sameKey: true }]),
    ];
    expect(scores).toEqual([...new Set(scores)].sort((one, other) => one - other));
  });

  test('grows with the evidence of failed attempts of many users', () => {
    const stranger = { action: 'signup', risk: {}, user: { exists: false }, device: null } as const;
    const campaign = { failures: 20, since: now, usualPerHour: 0.1 };
    const failing = { ...noCounts, day: { ...noCounts.day, evaluations: 200, failures: 200, failedUsers: 200 } };
    const scoreOf = (changes: Changes) => judge(facts({ ...stranger, ...changes })).risk?.score ?? 0;
    const scores = [
      scoreOf({}),
      scoreOf({ campaign }),
      scoreOf({ velocity: { device: failing } }),
      scoreOf({ velocity: { address: failing } }),
    ];
    expect(scores).toEqual([...new Set(scores)].sort((one, other) => one - other));
    expect(scoreOf({ campaign, velocity: { address: failing } })).toBe(scores.at(-1));
  });

  test('does not depend on failed attempts with the new name', () => {
    const failures = { ...noCounts.day, evaluations: 8, failures: 8 };
    const velocity = { user: { ...noCounts, hour: failures, day: failures } };
    expect(riskOfSignUp(facts({ action: 'signup', velocity, risk: { failures: 8 } }), [])).toEqual(
      riskOfSignUp(facts({ action: 'signup', risk: {} }), []),
    );
  });

  test('is that of any sign-up if nothing was found', () => {
    expect(riskOfSignUp(facts({ risk: {} }), []).contributions.map(({ fact }) => fact)).toEqual(['prior']);
  });
});

describe('docs/risk.md', () => {
  const measured = read('research/risk-measured.md');
  test.each(Object.entries(signUpWeights))('links the weight %s', (name, bits) => {
    expect(measured).toContain(`| \`${name}\` | ${String(bits).replace('-', '−')} |`);
  });

  test('calculates the example correctly', () => {
    const { score, contributions } = riskOfLogin(riskFactsOf(elsewhere));
    for (const { fact, bits, text } of contributions) {
      expect(docs).toContain(`| \`${fact}\` | ${signed(bits)} | ${text} |`);
    }
    expect(docs).toContain(`= ${score}%`);
  });
});

function signed(bits: number): string {
  return `${bits < 0 ? '−' : '+'}${Math.abs(bits).toFixed(2)}`;
}

test('a claim has no risk', () => {
  expect(judge(facts({ isTrustedCaller: false }))).not.toHaveProperty('risk');
  expect(judge(facts({ risk: defaultRisk }))).toHaveProperty('risk');
});
