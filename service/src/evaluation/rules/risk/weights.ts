/**
 * Weights of the risk score, in bits. Written by `npm run --prefix bench fit-risk`, from a simulated year; see
 * bench/risk. Those of `relief` are subtracted, those of `suspicion` and `context` added. None of `relief` and
 * `suspicion` is negative.
 */
export const weights = {
  offset: 0.639,
  relief: {
    same_system: 0,
    same_hardware: 0,
    recognised: 0.542,
    recognised_rarity: 0.462,
    recognised_use: 0.127,
    same_fingerprint: 0,
    at_country: 1.27,
    at_asn: 0,
    at_asn_use: 0,
    at_city: 0,
    at_city_use: 0,
    at_network: 0,
    at_network_use: 0,
    at_network_rarity: 0,
    at_network_settled: 0,
    at_address: 0,
    at_address_use: 0.315,
    at_address_rarity: 0,
    at_address_settled: 0.199,
    known_at_country: 0,
    known_at_asn: 0.15,
    known_at_city: 0.149,
    known_at_network: 1.668,
    known_at_address: 4.358,
  },
  suspicion: {
    new_device: 0.542,
    new_device_steady: 0.816,
    new_device_soon: 0.234,
    new_address_steady: 0.449,
    new_provider_rarity: 0.186,
    mobile_usual: 0,
    mobile_unusual: 0,
    relay_usual: 0,
    relay_unusual: 3.118,
    hosting_usual: 1.152,
    hosting_unusual: 1.965,
    anonymous_usual: 1.058,
    anonymous_unusual: 1.74,
    impossible_travel: 1.43,
    failures: 0.385,
  },
  context: {
    hour: 0.994,
    pause: -0.075,
    history: 0.493,
  },
};

export type Weights = typeof weights;
export type Relief = keyof Weights['relief'];
export type Suspicion = keyof Weights['suspicion'];
export type Context = keyof Weights['context'];
