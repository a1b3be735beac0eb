import type { AddressKind } from 'whorl/wire';
import { present } from './present.js';

/** Facts in one record of a database. */
export interface RecordFacts {
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly accuracyKm?: number;
  readonly asn?: number;
  readonly organisation?: string;
  readonly kinds: readonly AddressKind[];
}

/**
 * Reads a record of an MMDB file. Publishers name the same facts differently, so each fact is read from the first path
 * that has it: MaxMind's and DB-IP's, IPinfo's, then ip-location-db's. Other fields are ignored.
 *
 * Sources: https://dev.maxmind.com/geoip/docs/databases, https://db-ip.com/db/format,
 * https://ipinfo.io/developers/database-types, https://github.com/sapics/ip-location-db.
 */
export function readRecord(record: unknown): RecordFacts {
  const latitude = first(record, paths.latitude, asLatitude);
  const longitude = first(record, paths.longitude, asLongitude);
  const asn = first(record, paths.asn, asNumber);
  return {
    ...present({
      country: first(record, paths.country, asCountry),
      region: first(record, paths.region, asText),
      city: first(record, paths.city, asText),
      ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
      accuracyKm: first(record, paths.accuracyKm, asPositive),
      asn,
      organisation: asn === undefined ? undefined : first(record, paths.organisation, asText),
    }),
    kinds: kindsOf(record),
  };
}

/** Names of nested fields, split once. */
type Path = readonly string[];
const pathsOf = (...texts: readonly string[]): readonly Path[] => texts.map((text) => text.split('.'));

const paths = {
  country: pathsOf('country.iso_code', 'country_code', 'country'),
  region: pathsOf('subdivisions.0.names.en', 'subdivisions.0.iso_code', 'region', 'state1'),
  city: pathsOf('city.names.en', 'city'),
  latitude: pathsOf('location.latitude', 'latitude', 'lat'),
  longitude: pathsOf('location.longitude', 'longitude', 'lng'),
  accuracyKm: pathsOf('location.accuracy_radius', 'accuracy_radius', 'radius'),
  asn: pathsOf('autonomous_system_number', 'traits.autonomous_system_number', 'asn'),
  organisation: pathsOf(
    ...['autonomous_system_organization', 'traits.autonomous_system_organization', 'as_name', 'name'],
    ...['traits.organization', 'organization', 'traits.isp', 'isp'],
  ),
  type: pathsOf(...['connection_type', 'traits.connection_type', 'traits.user_type', 'user_type', 'type', 'as_type']),
};

/** Fields that are true if the address is of a kind. */
const flags: readonly (readonly [kind: AddressKind, paths: readonly Path[]])[] = [
  ['tor', pathsOf('is_tor_exit_node', 'traits.is_tor_exit_node', 'tor')],
  ['relay', pathsOf('relay')],
  ['vpn', pathsOf('is_anonymous_vpn', 'traits.is_anonymous_vpn', 'vpn')],
  [
    'proxy',
    pathsOf(
      ...['is_public_proxy', 'traits.is_public_proxy', 'proxy'],
      ...['is_residential_proxy', 'traits.is_residential_proxy'],
    ),
  ],
  ['hosting', pathsOf('is_hosting_provider', 'traits.is_hosting_provider', 'hosting', 'is_hosting')],
  ['mobile', pathsOf('mobile', 'is_mobile')],
];

/** Values of fields that name the type of an address's user or connection. */
const types: Readonly<Record<string, AddressKind>> = { cellular: 'mobile', mobile: 'mobile', hosting: 'hosting' };

function kindsOf(record: unknown): AddressKind[] {
  const flagged = flags
    .filter(([, paths]) => paths.some((path) => isTrue(valueAt(record, path))))
    .map(([kind]) => kind);
  const typed = paths.type.flatMap((path) => {
    const value = valueAt(record, path);
    const kind = typeof value === 'string' ? types[value.toLowerCase()] : undefined;
    return kind === undefined ? [] : [kind];
  });
  return [...new Set([...flagged, ...typed])];
}

/** IPinfo writes flags as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1;
}

function first<Value>(
  record: unknown,
  candidates: readonly Path[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const path of candidates) {
    const value = read(valueAt(record, path));
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueAt(record: unknown, path: Path): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Codes that stand for no single country. */
const noCountries = new Set(['AP', 'EU', 'XX', 'ZZ']);

function asCountry(value: unknown): string | undefined {
  const isCountry = typeof value === 'string' && /^[A-Z]{2}$/.test(value) && !noCountries.has(value);
  return isCountry ? value : undefined;
}

const maxTextLength = 120;

function asText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, maxTextLength) : '';
  return text === '' ? undefined : text;
}

function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(/^AS(\d+)$/.exec(value)?.[1]) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** IPinfo writes numbers as text. */
function asFinite(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function asPositive(value: unknown): number | undefined {
  const number = asFinite(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function inDegrees(limit: number) {
  return (value: unknown): number | undefined => {
    const number = asFinite(value);
    return number !== undefined && Math.abs(number) <= limit ? number : undefined;
  };
}

const asLatitude = inDegrees(90);
const asLongitude = inDegrees(180);
