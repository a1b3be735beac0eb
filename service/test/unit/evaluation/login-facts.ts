import fc from 'fast-check';
import type { RiskFacts, Seen } from '../../../src/evaluation/rules/risk/score-facts.js';
import { weights as fitted, type Weights } from '../../../src/evaluation/rules/risk/weights.js';

export const of = 2000;
export const often: Seen = { own: 20, users: 1, of };
export const never: Seen = { own: 0, users: 0, of };

/** Facts of a person at home with their own device. */
export const usual: RiskFacts = {
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
  resemblance: 20,
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
/** A device that the user never had. */
export const otherDevice: RiskFacts['device'] = {
  fingerprint: never,
  recognised: never,
  hardware: never,
  descriptor: { own: 20, users: 300, of },
};
/** An address where the user never was, in their city. */
export const otherAddress: RiskFacts['address'] = {
  address: never,
  network: never,
  city: { own: 20, users: 40, of },
  asn: { own: 20, users: 200, of },
  country: { own: 20, users: 800, of },
};
export const abroad = { address: never, network: never, city: never, asn: never, country: { own: 0, users: 20, of } };

const count = fc.nat(50);
export const seen: fc.Arbitrary<Seen> = fc.record({ own: count, users: count, of: fc.constantFrom(0, 10, 5000) });
export const level = fc.option(seen, { nil: undefined });
const share = fc.double({ min: 0, max: 1, noNaN: true });
export const kind = fc.constantFrom('hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile');
/** Arbitrary facts of a login. */
export const anyFacts: fc.Arbitrary<RiskFacts> = fc
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
    resemblance: fc.double({ min: 0, max: 40, noNaN: true }),
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

/** Any weights that a fit may return: none of relief or suspicion is negative. */
export const anyWeights: fc.Arbitrary<Weights> = fc
  .infiniteStream(fc.double({ min: 0, max: 6, noNaN: true }))
  .map((stream) => {
    const next = () => stream.next().value ?? 0;
    const drawn = <Names extends object>(names: Names): Names =>
      Object.assign({}, names, Object.fromEntries(Object.keys(names).map((name) => [name, next()])));
    return {
      offset: next() - 3,
      relief: drawn(fitted.relief),
      suspicion: drawn(fitted.suspicion),
      context: drawn(fitted.context),
    };
  });
