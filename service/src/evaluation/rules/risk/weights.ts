/**
 * Weights of the risk score, in bits. Written by `npm run --prefix bench fit-risk`, from a simulated year; see
 * bench/risk. Those of `relief` are subtracted, those of `suspicion` and `context` added. None of `relief` and
 * `suspicion` is negative.
 */
export const weights = {
  offset: 2.633,
  relief: {
    same_system: 0,
    same_hardware: 0,
    recognised: 0,
    resemblance: 0.27,
    resemblance_sure: 0.154,
    same_fingerprint: 0,
    at_country: 1.526,
    at_asn: 0,
    at_asn_use: 0,
    at_city: 0,
    at_city_use: 0,
    at_network: 0,
    at_network_use: 0,
    at_network_rarity: 0,
    at_network_settled: 0,
    at_address: 0,
    at_address_use: 0.199,
    at_address_rarity: 0,
    at_address_settled: 0.28,
    known_at_country: 0,
    known_at_asn: 0.472,
    known_at_city: 0.137,
    known_at_network: 1.875,
    known_at_address: 2.524,
  },
  suspicion: {
    new_device: 0,
    new_device_steady: 0.296,
    new_device_soon: 0.154,
    new_address_steady: 0.342,
    new_provider_rarity: 0.132,
    mobile_usual: 0,
    mobile_unusual: 0,
    relay_usual: 0,
    relay_unusual: 2.351,
    hosting_usual: 1.355,
    hosting_unusual: 1.999,
    anonymous_usual: 0.982,
    anonymous_unusual: 1.808,
    impossible_travel: 0.841,
    failures: 0.381,
  },
  context: {
    hour: 0.978,
    pause: -0.13,
    history: 0.49,
  },
};

export type Weights = typeof weights;
export type Relief = keyof Weights['relief'];
export type Suspicion = keyof Weights['suspicion'];
export type Context = keyof Weights['context'];
