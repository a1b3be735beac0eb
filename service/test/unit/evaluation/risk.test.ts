import { describe, expect, test } from 'vitest';
import type { RiskFacts } from '../../../src/evaluation/rules/risk/facts.js';
import { riskOf } from '../../../src/evaluation/rules/risk/score.js';

const often = { own: 20, users: 1 };
const never = { own: 0, users: 0 };

/** Facts of a person at home with their own device. */
const usual: RiskFacts = {
  users: 1000,
  history: {
    logins: 20,
    daysSinceLast: 3,
    devices: 1,
    addresses: 2,
    addressesInCity: 2,
    hourShare: 0.5,
    generalHourShare: 0.4,
  },
  device: { fingerprint: often, recognised: often, hardware: often, descriptor: { own: 20, users: 300 } },
  proof: { result: 'none', deviceLogins: 20, proven: 0 },
  address: {
    address: often,
    network: often,
    city: { own: 20, users: 40 },
    asn: { own: 20, users: 200 },
    country: { own: 20, users: 800 },
  },
  kind: undefined,
  speedKmh: undefined,
  failures: 0,
};
const otherDevice: RiskFacts['device'] = {
  fingerprint: never,
  recognised: never,
  hardware: { own: 0, users: 3 },
  descriptor: { own: 20, users: 300 },
};
const otherAddress: RiskFacts['address'] = {
  address: never,
  network: never,
  city: { own: 20, users: 40 },
  asn: { own: 20, users: 200 },
  country: { own: 20, users: 800 },
};
const abroad = { address: never, network: never, city: never, asn: never, country: { own: 0, users: 20 } };
const scoreOf = (changes: Partial<RiskFacts>) => riskOf({ ...usual, ...changes }).score;

describe('risk', () => {
  test('contributions add up to the score', () => {
    const facts: RiskFacts = {
      ...usual,
      device: otherDevice,
      address: abroad,
      kind: { kind: 'vpn', isUsual: false },
      speedKmh: 2000,
      failures: 2,
    };
    const { score, contributions } = riskOf(facts);
    const bits = contributions.reduce((sum, contribution) => sum + contribution.bits, 0);
    expect(score).toBeCloseTo(100 / (1 + 2 ** -bits), 10);
    for (const contribution of contributions) {
      expect(Math.round(contribution.bits * 100) / 100).toBe(contribution.bits);
      expect(contribution.text).toMatch(/^[A-Z0-9].*\.$/);
    }
  });

  test('rises from the own device at home to another device abroad', () => {
    const scores = [
      scoreOf({}),
      scoreOf({ address: otherAddress }),
      scoreOf({ device: otherDevice, address: otherAddress }),
      scoreOf({ device: otherDevice, address: abroad }),
    ];
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(scores.length);
  });

  test('a valid proof outweighs another address, and a missing one counts where proofs are usual', () => {
    const proven = { deviceLogins: 20, proven: 19 };
    expect(scoreOf({ address: abroad, proof: { result: 'valid', ...proven } })).toBeLessThan(0.1);
    expect(scoreOf({ proof: { result: 'none', ...proven } })).toBeGreaterThan(scoreOf({}));
  });

  test('what is not known is no evidence', () => {
    const { contributions } = riskOf({ ...usual, address: undefined });
    expect(contributions.map(({ fact }) => fact)).toEqual(['prior', 'device', 'time']);
  });

  test('the kind of network excuses nobody', () => {
    for (const kind of ['mobile', 'relay', 'hosting', 'vpn', 'proxy', 'tor'] as const) {
      for (const isUsual of [true, false]) {
        expect(scoreOf({ kind: { kind, isUsual } })).toBeGreaterThanOrEqual(scoreOf({}));
      }
    }
  });
});
