const levels = {
  fingerprint: ({ shown }) => shown.fingerprint,
  recognised: ({ shown }) => shown.recognisable,
  hardware: ({ shown }) => shown.hardware,
  descriptor: ({ shown }) => shown.descriptor,
  address: ({ place }) => place.address,
  network: ({ place }) => place.network,
  city: ({ place }) => place.city && `${place.asn} ${place.country} ${place.city}`,
  asn: ({ place }) => place.asn,
  country: ({ place }) => place.country,
};
const names = Object.keys(levels);
const dayMs = 24 * 3_600_000;
const never = { own: 0, users: 0 };
/** Networks whose location is not the person's. */
const elsewhere = ['hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile'];

/** Counts what the service would have stored, and returns the facts of the risk score about a login. */
export function createHistory() {
  const users = new Map();
  const general = Object.fromEntries(names.map((name) => [name, new Map()]));
  const hours = new Float64Array(24);
  let logins = 0;
  return {
    factsOf(login) {
      const own = users.get(login.user);
      const seen = (name) => {
        const value = levels[name](login);
        if (value === undefined) return never;
        return { own: own?.counts[name].get(value) ?? 0, users: general[name].get(value) ?? 0 };
      };
      const pick = (...list) => Object.fromEntries(list.map((name) => [name, seen(name)]));
      const device = own?.devices.get(login.shown.recognisable);
      return {
        users: users.size,
        history: {
          logins: own?.logins ?? 0,
          daysSinceLast: own ? (login.at - own.last) / dayMs : 0,
          devices: own?.counts.recognised.size ?? 0,
          addresses: own?.counts.address.size ?? 0,
          addressesInCity: own?.inCity.get(levels.city(login)) ?? 0,
          hourShare: own ? around(own.hours, login.hour) / own.logins : 0,
          generalHourShare: logins > 0 ? around(hours, login.hour) / logins : 7 / 24,
        },
        device: pick('fingerprint', 'recognised', 'hardware', 'descriptor'),
        proof: {
          result: login.proof === undefined ? 'none' : device?.keys.has(login.proof) ? 'valid' : 'foreign',
          deviceLogins: device?.logins ?? 0,
          proven: device?.proven ?? 0,
        },
        address: pick('address', 'network', 'city', 'asn', 'country'),
        kind: login.place.kind && { kind: login.place.kind, isUsual: own?.kinds.has(login.place.kind) ?? false },
        speedKmh: own?.position && speed(own.position, login),
        failures: login.failures,
      };
    },
    learn(login) {
      let own = users.get(login.user);
      if (!own) {
        own = {
          logins: 0,
          hours: new Float64Array(24),
          counts: Object.fromEntries(names.map((name) => [name, new Map()])),
          inCity: new Map(),
          devices: new Map(),
          kinds: new Set(),
        };
        users.set(login.user, own);
      }
      if (!own.counts.address.has(login.place.address)) {
        const city = levels.city(login);
        own.inCity.set(city, (own.inCity.get(city) ?? 0) + 1);
      }
      for (const name of names) {
        const value = levels[name](login);
        if (value === undefined) continue;
        const count = own.counts[name].get(value) ?? 0;
        own.counts[name].set(value, count + 1);
        if (count === 0) general[name].set(value, (general[name].get(value) ?? 0) + 1);
      }
      const device = own.devices.get(login.shown.recognisable) ?? { logins: 0, proven: 0, keys: new Set() };
      own.devices.set(login.shown.recognisable, device);
      device.logins++;
      if (login.proof !== undefined) {
        device.proven++;
        device.keys.add(login.proof);
      }
      if (login.place.kind) own.kinds.add(login.place.kind);
      else if (login.place.latitude !== undefined) own.position = { place: login.place, at: login.at };
      own.logins++;
      own.last = login.at;
      own.hours[Math.floor(login.hour)]++;
      hours[Math.floor(login.hour)]++;
      logins++;
    },
  };
}

/** Returns the number of logins within three hours. */
function around(hours, hour) {
  let sum = 0;
  for (let offset = -3; offset <= 3; offset++) sum += hours[(Math.floor(hour) + offset + 24) % 24];
  return sum;
}

function speed({ place, at }, login) {
  const to = login.place;
  if (to.latitude === undefined || elsewhere.includes(to.kind)) return undefined;
  const km = distanceKm(place, to) - place.accuracyKm - to.accuracyKm;
  return km <= 0 ? 0 : km / Math.max((login.at - at) / 3_600_000, 1 / 60);
}

/** Great-circle distance. */
export function distanceKm(a, b) {
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const sine = (degrees) => Math.sin(radians(degrees) / 2) ** 2;
  const half =
    sine(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sine(b.longitude - a.longitude);
  return 2 * 6371 * Math.asin(Math.sqrt(half));
}
