import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RiskFacts, Seen } from '../../../src/evaluation/rules/risk/facts.js';
import { riskOfLogin } from '../../../src/evaluation/rules/risk/score.js';

const of = 2000;
const often: Seen = { own: 20, users: 1, of };
const never: Seen = { own: 0, users: 0, of };

/** Facts of a person at home with their own device. */
const usual: RiskFacts = {
  history: {
    logins: 20,
    daysSinceLast: 3,
    devices: 1,
    addresses: 2,
    addressesInCity: 2,
    hourShare: 0.5,
    generalHourShare: 0.4,
  },
  device: { fingerprint: often, recognised: often, hardware: often, descriptor: { own: 20, users: 300, of } },
  proof: { result: 'none', deviceLogins: 20, proven: 0 },
  address: {
    address: often,
    network: often,
    city: { own: 20, users: 40, of },
    asn: { own: 20, users: 200, of },
    country: { own: 20, users: 800, of },
  },
  kind: undefined,
  speedKmh: undefined,
  failures: 0,
};
const otherDevice: RiskFacts['device'] = {
  fingerprint: never,
  recognised: never,
  hardware: never,
  descriptor: { own: 20, users: 300, of },
};
const otherAddress: RiskFacts['address'] = {
  address: never,
  network: never,
  city: { own: 20, users: 40, of },
  asn: { own: 20, users: 200, of },
  country: { own: 20, users: 800, of },
};
const abroad = { address: never, network: never, city: never, asn: never, country: { own: 0, users: 20, of } };
const scoreOf = (changes: Partial<RiskFacts>) => riskOfLogin({ ...usual, ...changes }).score;
const bitsOf = (facts: RiskFacts) =>
  riskOfLogin(facts).contributions.reduce((sum, contribution) => sum + contribution.bits, 0);

const count = fc.nat(50);
const seen: fc.Arbitrary<Seen> = fc.record({ own: count, users: count, of: fc.constantFrom(0, 10, 5000) });
const level = fc.option(seen, { nil: undefined });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const kind = fc.constantFrom('hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile');
const anyFacts: fc.Arbitrary<RiskFacts> = fc
  .record({
    history: fc.record({
      logins: count,
      daysSinceLast: fc.double({ min: 0, max: 1000, noNaN: true }),
      devices: count,
      addresses: count,
      addressesInCity: count,
      hourShare: share,
      generalHourShare: share,
    }),
    device: fc.record({ fingerprint: seen, recognised: seen, hardware: seen, descriptor: seen }),
    proof: fc.record({ result: fc.constantFrom('none', 'valid', 'foreign'), deviceLogins: count, proven: count }),
    address: fc.option(fc.record({ address: level, network: level, city: level, asn: level, country: level }), {
      nil: undefined,
    }),
    kind: fc.option(fc.record({ kind, isUsual: fc.boolean() }), { nil: undefined }),
    speedKmh: fc.option(fc.nat(5000), { nil: undefined }),
    failures: fc.nat(9),
  })
  .map(({ history, proof, ...facts }) => ({
    ...facts,
    history: {
      ...history,
      devices: Math.min(history.devices, history.logins),
      addresses: Math.min(history.addresses, history.logins),
    },
    proof: { ...proof, proven: Math.min(proof.proven, proof.deviceLogins) },
  }));

describe('the score of a login', () => {
  test('is what its contributions add up to', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score, contributions } = riskOfLogin(facts);
        const bits = contributions.reduce((sum, contribution) => sum + contribution.bits, 0);
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

  test('is not lower with another device than with a known one, nor with another browser than with the same', () => {
    fc.assert(
      fc.property(anyFacts, ({ device, ...facts }) => {
        const own = { ...seenOften(facts), users: 1 };
        const unknown = { fingerprint: never, recognised: never, hardware: never, descriptor: never };
        const similar = { ...unknown, descriptor: { ...device.descriptor, own: 5 } };
        const alike = { ...similar, hardware: { ...device.hardware, own: 5 } };
        const known = { ...alike, recognised: own, fingerprint: own };
        const bits = [known, alike, similar, unknown].map((each) => bitsOf({ ...plain(facts), device: each }));
        expect(bits).toEqual([...bits].sort((one, other) => one - other));
      }),
    );
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
    expect(factsOf({ address: undefined })).toEqual(['prior', 'device', 'time', 'history']);
    const unplaced = { ...abroad, city: undefined, asn: undefined, country: undefined };
    expect(factsOf({ address: unplaced })).toEqual(['prior', 'device', 'time', 'history']);
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

const scoreBits = (changes: Partial<RiskFacts>) => bitsOf({ ...usual, ...changes });

/** A device that is used for all logins. */
function seenOften({ history }: Pick<RiskFacts, 'history'>): Seen {
  return { own: history.logins, users: 1, of };
}

/** Facts without a proof, which is evidence about known devices only. */
function plain(facts: Omit<RiskFacts, 'device'>): Omit<RiskFacts, 'device'> {
  return { ...facts, address: undefined, proof: { result: 'none', deviceLogins: 0, proven: 0 } };
}
