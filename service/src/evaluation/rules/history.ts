import type { AddressKind } from 'whorl/wire';
import { hourMs, minuteMs } from '../../ground/time.js';
import type { StoredAddress } from '../../ground/vocabulary.js';

/** One of a user's accesses that was allowed, or whose challenge was completed. */
export interface Access {
  readonly at: Date;
  readonly identityId: string;
  readonly variantId: string;
  /** Facets of the hardware; null if the fingerprint has none. */
  readonly hardwareKey: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  /** Network that trust applies to: IPv4 /32, IPv6 /64. */
  readonly network: string | null;
  readonly info: StoredAddress | undefined;
  /** Whether the access had a valid proof. */
  readonly isProven: boolean;
}

/** A point on the earth, with the radius in which the person probably is. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyKm: number;
}

export interface Journey {
  readonly km: number;
  readonly hours: number;
  /** Speed after both radii of uncertainty are subtracted from the distance. */
  readonly kmh: number;
}

/** Kinds of network that are not where the person is. */
const elsewhere: readonly AddressKind[] = ['hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile'];

/** Radius for databases that state none. City databases are mostly right within it. */
const defaultAccuracyKm = 100;

const earthRadiusKm = 6371;

/** Faster than an airliner, in km/h. */
export const impossibleKmh = 900;

/** Returns where a person is by their address; undefined if it is unknown, or if the network is not where people are. */
function positionOf(info: StoredAddress | undefined): Position | undefined {
  if (info?.latitude === undefined || info.longitude === undefined) return undefined;
  if (info.kind !== undefined && elsewhere.includes(info.kind)) return undefined;
  const { latitude, longitude, accuracy_km: accuracyKm = defaultAccuracyKm } = info;
  return { latitude, longitude, accuracyKm };
}

/**
 * Returns the journey from the last access with a known position to an address; undefined if there is none, or if one of
 * both positions is unknown.
 */
export function journeyTo(info: StoredAddress | undefined, history: readonly Access[], now: Date): Journey | undefined {
  const to = positionOf(info);
  if (!to) return undefined;
  for (const access of history) {
    const from = positionOf(access.info);
    if (!from) continue;
    // Two accesses within a minute are compared as if they were a minute apart.
    const hours = Math.max(now.getTime() - access.at.getTime(), minuteMs) / hourMs;
    const km = distanceKm(from, to);
    return { km, hours, kmh: Math.max(0, km - from.accuracyKm - to.accuracyKm) / hours };
  }
  return undefined;
}

/** Returns the great-circle distance, by the haversine formula. */
function distanceKm(one: Position, other: Position): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const haversine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const half =
    haversine(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * haversine(other.longitude - one.longitude);
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half)));
}
