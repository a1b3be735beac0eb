import { chooser } from '../identity/population/random.mjs';
import { given } from './sources.mjs';

/** Countries with a position and their share of web users in per cent. Estimates, as in the population benchmark. */
const countryList = [
  ['DE', 51, 10, 8],
  ['US', 39, -98, 22],
  ['GB', 52, -1, 6],
  ['FR', 47, 2, 5],
  ['IT', 42, 12, 4],
  ['ES', 40, -4, 4],
  ['NL', 52, 5, 2],
  ['PL', 52, 19, 3],
  ['SE', 60, 15, 2],
  ['TR', 39, 35, 4],
  ['UA', 49, 31, 2],
  ['RU', 55, 38, 4],
  ['BR', -14, -51, 7],
  ['MX', 23, -102, 4],
  ['IN', 21, 78, 12],
  ['ID', -5, 120, 4],
  ['VN', 16, 107, 3],
  ['JP', 36, 138, 4],
  ['TW', 24, 121, 6],
  ['NG', 9, 8, 1],
  ['ZA', -29, 24, 1],
  ['AU', -25, 133, 2],
];

/** Draws from 0 to `count - 1` by Zipf's law. */
export function zipf(count, exponent = 1) {
  return chooser(Array.from({ length: count }, (_, rank) => [rank, 1 / (rank + 1) ** exponent]));
}

const zipfOfCities = zipf(given.citiesPerCountry);
const shares = (text) => text.split(', ').map(Number);

/**
 * Creates countries, cities, providers and their address ranges. Every place of a login has the facts that an address
 * database has: country, region, city, coordinates, network operator and kind.
 */
export function createWorld(random) {
  let prefixes = 0;
  let operators = 1000;
  const nextPrefix = () => {
    const at = prefixes++;
    return `${11 + (at >> 8)}.${at & 255}`;
  };
  const countries = countryList.map(([code, lat, lon, share]) => {
    const cities = Array.from({ length: given.citiesPerCountry }, (_, rank) => ({
      name: `${code}-${rank}`,
      region: `${code}-R${rank % 6}`,
      lat: lat + (random() - 0.5) * 8,
      lon: lon + (random() - 0.5) * 8,
    }));
    const isps = shares(given.providerShares).map((weight) => ({
      asn: operators++,
      weight,
      pools: cities.map(() => [nextPrefix(), nextPrefix(), nextPrefix()]),
    }));
    const carriers = shares(given.carrierShares).map((weight) => ({
      asn: operators++,
      weight,
      regions: [nextPrefix(), nextPrefix(), nextPrefix()],
    }));
    const hosts = [1, 2, 3].map(() => ({ asn: operators++, prefix: nextPrefix() }));
    return {
      code,
      share,
      cities,
      isps,
      carriers,
      hosts,
      lat,
      lon,
      isp: chooser(isps.map((isp) => [isp, isp.weight])),
      carrier: chooser(carriers.map((carrier) => [carrier, carrier.weight])),
    };
  });
  const services = Array.from({ length: given.vpnServices }, () => ({
    asn: operators++,
    exits: new Map(countries.map(({ code }) => [code, nextPrefix()])),
  }));
  const relay = { asn: operators++, exits: new Map(countries.map(({ code }) => [code, nextPrefix()])) };
  return {
    countries,
    services,
    relay,
    country: chooser(countries.map((country) => [country, country.share])),
    home: countries[0],
  };
}

export const drawCity = (random) => zipfOfCities(random);

const host = (random) => Math.floor(random() * 65_536);
const addressIn = (prefix, at) => `${prefix}.${at >> 8}.${at & 255}`;

function place({ country, city, asn, address, kind, accuracyKm = 20 }) {
  const { name, region, lat, lon } = country.cities[city];
  const known = accuracyKm > 0 ? { city: name, region, latitude: lat, longitude: lon, accuracyKm } : {};
  return {
    address,
    network: address.slice(0, address.lastIndexOf('.')),
    asn,
    country: country.code,
    ...known,
    ...(kind && { kind }),
  };
}

/** Returns a customer's place at a fixed-line provider. `previous` is the address before a change. */
export function fixedLine(random, { country, city, isp, previous }) {
  const pool = isp.pools[city];
  const at = previous && pool.findIndex((prefix) => previous.address.startsWith(`${prefix}.`));
  const stays = at >= 0 && random() >= given.otherPrefix;
  const prefix = stays ? pool[at] : pool[Math.floor(random() * pool.length)];
  return place({ country, city, asn: isp.asn, address: addressIn(prefix, host(random)) });
}

/** Returns the place of one visit behind a provider's carrier-grade NAT: one of 64 addresses of the city. */
export function sharedLine(random, { country, city, isp }) {
  return place({
    country,
    city,
    asn: isp.asn,
    address: addressIn(isp.pools[city][0], 65_535 - Math.floor(random() * given.sharedAddresses)),
  });
}

/** Returns the place of a visit through a mobile gateway, which is located at one city for its whole region. */
export function mobile(random, { country, city, carrier }) {
  const region = city % carrier.regions.length;
  const at = Math.floor(random() * given.gatewaysPerRegion);
  return place({
    country,
    city: region,
    asn: carrier.asn,
    address: addressIn(carrier.regions[region], at),
    kind: 'mobile',
  });
}

/** Returns the place of a visit through a VPN with its exit in a country: one of 200 addresses. */
export function vpn(random, { country, service }) {
  const at = Math.floor(random() * given.vpnAddresses);
  // The same addresses are always known, or never.
  const isKnown = (at * 37) % 100 < given.knownAnonymous * 100;
  return place({
    country,
    city: 0,
    asn: service.asn,
    address: addressIn(service.exits.get(country.code), at),
    kind: isKnown ? 'vpn' : 'hosting',
  });
}

/** Returns the place of a visit through a privacy relay, which keeps the country: one of 2,000 addresses. */
export function relay(random, { country, world }) {
  const at = Math.floor(random() * given.relayAddresses);
  return place({
    country,
    city: 0,
    asn: world.relay.asn,
    address: addressIn(world.relay.exits.get(country.code), at),
    kind: 'relay',
  });
}

/** Returns a server's place in a country. */
export function hosting(random, { country }) {
  const { asn, prefix } = country.hosts[Math.floor(random() * country.hosts.length)];
  return place({ country, city: 0, asn, address: addressIn(prefix, host(random)), kind: 'hosting' });
}
