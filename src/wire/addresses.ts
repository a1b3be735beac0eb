import type { AddressKind } from './vocabulary.js';

/**
 * What the service's databases and lists say about an IP address. A fact that is not known is absent, and is evidence of
 * nothing.
 */
export interface AddressInfo {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  region?: string;
  city?: string;
  /** In degrees. Always together with `longitude`. */
  latitude?: number;
  longitude?: number;
  /** The radius around the coordinates in which the address probably is, in kilometres. */
  accuracy_km?: number;
  /** The number of the autonomous system that announces the address (RFC 1930). */
  asn?: number;
  /** The organisation that operates this autonomous system. */
  organisation?: string;
  kind?: AddressKind;
  /** The database or list that each fact comes from. */
  sources: AddressSources;
}

export interface AddressSources {
  country?: string;
  /** The source of region, city, coordinates and accuracy. */
  location?: string;
  /** The source of `asn` and `organisation`. */
  asn?: string;
  kind?: string;
}
