import { countFrequencies, riskFactsOf } from '../../service/dist/testing.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** As in the service: accesses of a user that are read, accesses in the sample, and the most that a query counts. */
const maxAccesses = 25;
const sampleSize = 5000;
const mostCounted = 50;
/** The service samples every five minutes. Sampling after this many logins gives the same and takes less time. */
const sampleEvery = 1000;

/**
 * Keeps what the service stores about logins, and returns the facts of the risk score about one. The facts themselves
 * are the service's own.
 *
 * @param options.data `default`: country and provider of an address, as installed. `full`: also cities, and lists of
 * anonymisers, hosting and mobile networks.
 */
export function createHistory({ data = 'default' } = {}) {
  const users = new Map();
  const usersOf = { address: new Map(), device: new Map() };
  const sample = [];
  let learned = 0;
  let devices = 0;
  let counted;
  const frequencies = () => {
    counted ??= countFrequencies(sample);
    return counted;
  };
  const count = (map, key) => Math.min(mostCounted, map.get(key)?.size ?? 0);
  const add = (map, key, value) => map.set(key, (map.get(key) ?? new Set()).add(value));
  return {
    /** Returns the user's accesses, newest first. */
    accessesOf: (user) => users.get(user)?.accesses ?? [],
    factsOf(login) {
      const { shown, place, proof, failures } = login;
      const own = users.get(login.user);
      const keys = own?.keys.get(shown.recognisable);
      const { os, browser } = systemOf(shown);
      return riskFactsOf({
        now: timeOf(login, own?.accesses[0]),
        history: own?.accesses ?? [],
        identityId: shown.recognisable,
        confidence: shown.confidence ?? 1,
        variantId: variantOf(shown),
        hardwareKey: shown.hardware,
        os,
        browser,
        proof: proof === undefined ? 'none' : keys?.has(proof) ? 'valid' : 'foreign',
        // Every access is in the history.
        trusted: { device: false, address: false },
        network: place.address,
        info: infoOf(place, data),
        failures,
        counts: {
          usersAtAddress: count(usersOf.address, place.address),
          usersOfDevice: count(usersOf.device, shown.recognisable),
          devices,
        },
        frequencies: frequencies(),
      });
    },
    learn(login) {
      const { user, shown, place, proof } = login;
      const own = users.get(user) ?? { accesses: [], keys: new Map() };
      const isProven = proof !== undefined && Boolean(own.keys.get(shown.recognisable)?.has(proof));
      users.set(user, own);
      const at = new Date(login.at);
      const access = {
        ...{
          userId: user,
          at,
          identityId: shown.recognisable,
          variantId: variantOf(shown),
          hardwareKey: shown.hardware,
        },
        ...systemOf(shown),
        network: place.address,
        info: infoOf(place, data),
        isProven,
      };
      own.accesses = [access, ...own.accesses.slice(0, maxAccesses - 1)];
      if (proof !== undefined) add(own.keys, shown.recognisable, proof);
      if (!usersOf.device.get(shown.recognisable)?.has(user)) devices++;
      add(usersOf.address, place.address, user);
      add(usersOf.device, shown.recognisable, user);
      sample[learned++ % sampleSize] = access;
      if (learned % sampleEvery === 0) counted = undefined;
    },
  };
}

/** An attacker comes on the day of the login that is imitated, at another hour, and never before the last access. */
function timeOf({ at, hour }, last) {
  const time = Math.floor(at / dayMs) * dayMs + (at % hourMs) + Math.floor(hour) * hourMs;
  return new Date(last && time < last.at.getTime() ? time + dayMs : time);
}

/** A fingerprint belongs to the device that it was seen on. */
function variantOf({ recognisable, fingerprint }) {
  return `${recognisable} ${fingerprint}`;
}

function systemOf({ descriptor }) {
  const [os, browser = os] = descriptor.split(' ');
  return { os, browser };
}

export function infoOf({ country, region, city, asn, kind, latitude, longitude, accuracyKm }, data = 'default') {
  const located = data === 'full' && { kind, region, city, latitude, longitude, accuracy_km: accuracyKm };
  const known = Object.entries({ country, asn, ...located }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), sources: {} };
}
