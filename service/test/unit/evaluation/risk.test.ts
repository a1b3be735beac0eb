import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentOf } from '../../../src/evaluation/rules/risk/contribution.js';
import { isNewDeviceAtKnownAddress, riskOfLogin } from '../../../src/evaluation/rules/risk/score.js';
import type { RiskFacts, Seen } from '../../../src/evaluation/rules/risk/score-facts.js';
import { weights as fitted } from '../../../src/evaluation/rules/risk/weights.js';
import { defaultSettings } from '../../../src/resources/projects/rules/settings.js';
import {
  abroad,
  anyFacts,
  anyWeights,
  kind,
  level,
  never,
  of,
  often,
  otherAddress,
  otherDevice,
  seen,
  usual,
} from './login-facts.js';

const scoreOf = (changes: Partial<RiskFacts>) => riskOfLogin({ ...usual, ...changes }).score;
const bitsOf = (facts: RiskFacts) => riskOfLogin(facts).bits;

const scoreBits = (changes: Partial<RiskFacts>) => bitsOf({ ...usual, ...changes });

const fromFinest = ['address', 'network', 'city', 'asn', 'country'] as const;

type Levels = NonNullable<RiskFacts['address']>;

/** Returns the levels with another number of own accesses on one of them, if it is known. */
function withOwn(levels: Levels, name: keyof Levels, own: number): Levels {
  const seen = levels[name];
  return { ...levels, [name]: seen && { ...seen, own } };
}

describe('the score of a login', () => {
  test('is what its contributions add up to', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score, bits, contributions } = riskOfLogin(facts);
        expect(bits).toBeCloseTo(
          contributions.reduce((sum, contribution) => sum + contribution.bits, 0),
          9,
        );
        expect(score).toBe(Math.round(10_000 / (1 + 2 ** -bits)) / 100);
        for (const contribution of contributions) {
          expect(Math.round(contribution.bits * 100) / 100).toBe(contribution.bits);
          expect(contribution.text).toMatch(/^[A-Z0-9].*\.$/);
        }
        expect(new Set(contributions.map(({ fact }) => fact)).size).toBe(contributions.length);
      }),
    );
  });

  test('is never lowered by an anonymiser, failures, a missing proof or impossible travel', () => {
    fc.assert(
      fc.property(anyFacts, kind, fc.boolean(), (facts, other, isUsual) => {
        const plain: RiskFacts = { ...facts, kind: undefined, failures: 0, speedKmh: undefined };
        const base = bitsOf(plain);
        expect(bitsOf({ ...plain, kind: { kind: other, isUsual } })).toBeGreaterThanOrEqual(base);
        expect(bitsOf({ ...plain, failures: 3 })).toBeGreaterThanOrEqual(base);
        expect(bitsOf({ ...plain, speedKmh: 5000 })).toBeGreaterThanOrEqual(base);
        const proven = { ...plain, proof: { result: 'valid' as const, deviceLogins: 20, proven: 20 } };
        const unproven = { ...plain, proof: { result: 'none' as const, deviceLogins: 20, proven: 20 } };
        expect(bitsOf(unproven)).toBeGreaterThanOrEqual(bitsOf(proven));
      }),
    );
  });

  test('is never lower with a worse match of the device, whatever the weights', () => {
    fc.assert(
      fc.property(anyFacts, anyWeights, (facts, weights) => {
        const own = (seen: Seen) => ({ ...seen, own: Math.max(1, seen.own) });
        const { fingerprint, recognised, hardware, descriptor } = facts.device;
        const exact = {
          fingerprint: own(fingerprint),
          recognised: own(recognised),
          hardware: { own: Math.max(1, hardware.own) },
          descriptor: own(descriptor),
        };
        const similar = { ...exact, fingerprint: never };
        const alike = { ...similar, recognised: { ...exact.recognised, own: 0 } };
        const sameSystem = { ...alike, hardware: { own: 0 } };
        const unknown = { ...sameSystem, descriptor: { ...exact.descriptor, own: 0 } };
        const unproven = { ...facts, proof: { ...facts.proof, result: 'none' as const } };
        const faint = { ...unproven, device: similar, resemblance: facts.resemblance / 2 };
        const proven = { ...facts, device: exact, proof: { ...facts.proof, result: 'valid' as const } };
        const bits = [
          riskOfLogin(proven, weights).bits,
          ...[exact, similar].map((device) => riskOfLogin({ ...unproven, device }, weights).bits),
          riskOfLogin(faint, weights).bits,
          ...[alike, sameSystem, unknown].map((device) => riskOfLogin({ ...unproven, device }, weights).bits),
        ];
        expect(bits).toEqual(bits.toSorted((one, other) => one - other));
      }),
    );
  });

  test('is never lower with a worse match of the address, whatever the weights', () => {
    fc.assert(
      fc.property(anyFacts, anyWeights, ({ address, ...facts }, weights) => {
        let levels = address ?? { address: often, network: often, city: often, asn: often, country: often };
        for (const name of fromFinest) levels = withOwn(levels, name, Math.max(1, levels[name]?.own ?? 0));
        const chain = [levels];
        for (const name of fromFinest) {
          levels = withOwn(levels, name, 0);
          chain.push(levels);
        }
        const bits = chain.map((each) => riskOfLogin({ ...facts, address: each }, weights).bits);
        expect(bits).toEqual(bits.toSorted((one, other) => one - other));
      }),
    );
  });

  test('is never lower with more failures, an unusual kind of network, or a key that was proven more often before', () => {
    fc.assert(
      fc.property(anyFacts, kind, fc.nat(9), (facts, kind, failures) => {
        const inOrder = (changes: readonly Partial<RiskFacts>[]) => {
          const bits = changes.map((change) => bitsOf({ ...facts, ...change }));
          expect(bits).toEqual(bits.toSorted((one, other) => one - other));
        };
        inOrder([{ failures }, { failures: failures + 1 }]);
        inOrder([{ kind: undefined }, { kind: { kind, isUsual: true } }, { kind: { kind, isUsual: false } }]);
        inOrder([0, 1, 10, 20].map((proven) => ({ proof: { result: 'foreign', deviceLogins: 20, proven } })));
      }),
    );
  });

  test('has fitted weights that keep this order', () => {
    for (const group of [fitted.relief, fitted.suspicion]) {
      for (const weight of Object.values(group)) expect(weight).toBeGreaterThanOrEqual(0);
    }
  });

  test('does not recognise a device whose hardware the user never had', () => {
    const switched = { ...usual, device: { ...usual.device, hardware: never } };
    expect(riskOfLogin(switched).contributions.find(({ fact }) => fact === 'device')?.text).toBe(
      'The user had another device with the same system and browser.',
    );
  });

  test('is not lowered further by a resemblance that a copy has as well', () => {
    const similar = { ...usual.device, fingerprint: never };
    const bitsWith = (resemblance: number) => scoreBits({ device: similar, resemblance });
    expect(bitsWith(40)).toBe(bitsWith(20));
    expect(bitsWith(20)).toBeLessThan(bitsWith(4));
  });

  test('reaches the default threshold for a copy without proof at a provider that the user never had', () => {
    const { threshold } = defaultSettings.risk;
    fc.assert(
      fc.property(anyFacts, level, fc.nat(50), ({ history, proof, device, ...facts }, country, own) => {
        const address = { ...abroad, country: { own, users: 800, of, ...country } };
        const risk = riskOfLogin({
          ...facts,
          address,
          history: { ...history, logins: Math.max(1, history.logins) },
          device: { ...device, fingerprint: often, recognised: often, hardware: often },
          proof: { ...proof, result: 'none' },
        });
        expect(percentOf(risk.bits)).toBeGreaterThanOrEqual(threshold);
        expect(percentOf(risk.bits)).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('keeps the order of such copies, and does not touch those with a proof or at a known provider', () => {
    const copy = {
      history: { ...usual.history, hourShare: 1, daysSinceLast: 14 },
      address: { ...abroad, country: often },
    };
    const bits = [20, 10, 5, 2, 1].map((logins) =>
      scoreBits({ ...copy, history: { ...copy.history, logins, addresses: 1 } }),
    );
    expect(new Set(bits).size).toBe(bits.length);
    expect(bits).toEqual(bits.toSorted((one, other) => other - one));
    const proven = { result: 'valid', deviceLogins: 20, proven: 20 } as const;
    const { threshold } = defaultSettings.risk;
    expect(percentOf(scoreBits({ ...copy, proof: proven }))).toBeLessThan(threshold);
    expect(percentOf(scoreBits({ ...copy, address: { ...copy.address, asn: often } }))).toBeLessThan(threshold);
  });

  test('is higher in a new country than in a known one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), seen, (own, somewhere) => {
        const country = { ...somewhere, own };
        for (const device of [usual.device, otherDevice]) {
          const known = scoreBits({ device, address: { ...abroad, country } });
          expect(scoreBits({ device, address: { ...abroad, country: { ...country, own: 0 } } })).toBeGreaterThan(known);
        }
      }),
    );
  });

  test('rises from the own device at home to another device abroad', () => {
    const bits = [
      scoreBits({}),
      scoreBits({ address: otherAddress }),
      scoreBits({ device: otherDevice, address: otherAddress }),
      scoreBits({ device: otherDevice, address: abroad }),
    ];
    expect(bits).toEqual([...bits].sort((one, other) => one - other));
    expect(new Set(bits).size).toBe(bits.length);
  });

  test('a valid proof outweighs another address, and a missing one counts if proofs are usual', () => {
    const proven = { deviceLogins: 20, proven: 19 };
    expect(scoreOf({ address: abroad, proof: { result: 'valid', ...proven } })).toBeLessThan(0.1);
    expect(scoreBits({ proof: { result: 'none', ...proven } })).toBeGreaterThan(scoreBits({}));
  });

  test('what is not known is no evidence', () => {
    const factsOf = (changes: Partial<RiskFacts>) =>
      riskOfLogin({ ...usual, ...changes }).contributions.map(({ fact }) => fact);
    expect(factsOf({})).toEqual(['prior', 'device', 'address', 'time', 'history']);
    const sameCountry = { ...abroad, asn: undefined, country: { own: 20, users: 800, of } };
    expect(scoreBits({ address: undefined })).toBeLessThanOrEqual(scoreBits({ address: sameCountry }));
  });

  test('a user without earlier logins is compared with nothing', () => {
    const { contributions, score } = riskOfLogin({
      ...usual,
      history: { ...usual.history, logins: 0 },
      device: otherDevice,
      address: abroad,
    });
    expect(contributions).toHaveLength(1);
    expect(score).toBe(0.1);
  });
});

test('a new device at a known address is one that proves nothing, where the user was', () => {
  expect(isNewDeviceAtKnownAddress({ ...usual, device: otherDevice })).toBe(true);
  expect(isNewDeviceAtKnownAddress(usual)).toBe(false);
  const similar = { ...usual, device: { ...usual.device, fingerprint: never } };
  expect(isNewDeviceAtKnownAddress(similar)).toBe(false);
  expect(isNewDeviceAtKnownAddress({ ...similar, resemblance: 2 })).toBe(true);
  expect(isNewDeviceAtKnownAddress({ ...usual, device: otherDevice, address: otherAddress })).toBe(false);
  const proof = { result: 'valid', deviceLogins: 3, proven: 3 } as const;
  expect(isNewDeviceAtKnownAddress({ ...usual, device: otherDevice, proof })).toBe(false);
});
