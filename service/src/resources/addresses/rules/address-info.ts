import type { AddressInfo, AddressKind } from 'whorl/wire';
import type { RecordFacts } from './database-record.js';
import { kindOfNetwork } from './network-kinds.js';

/** What one database says about an address. */
export interface DatabaseEntry {
  readonly source: string;
  readonly facts: RecordFacts;
}

/** A list that contains an address. */
export interface ListEntry {
  readonly source: string;
  readonly kind: AddressKind;
}

/** All kinds. If several apply, the first counts: relays and VPNs are in hosting networks too. */
export const addressKinds = ['tor', 'relay', 'vpn', 'proxy', 'hosting', 'mobile'] as const satisfies AddressKind[];

const builtInNetworks = "whorl's table of networks";

/**
 * Returns the facts about an address, each from the first database that has it. Region, city and coordinates come from one
 * database, and only if it agrees about the country. Returns undefined if nothing is known.
 */
export function addressInfo(entries: readonly DatabaseEntry[], lists: readonly ListEntry[]): AddressInfo | undefined {
  const country = entries.find(({ facts }) => facts.country !== undefined);
  const location = entries.find(({ facts }) => hasLocation(facts) && facts.country === country?.facts.country);
  const network = entries.find(({ facts }) => facts.asn !== undefined);
  const kind = kindOf(entries, lists, network?.facts.asn);
  if (!country && !location && !network && !kind) return undefined;
  const info: AddressInfo = { sources: {} };
  if (country?.facts.country !== undefined) {
    info.country = country.facts.country;
    info.sources.country = country.source;
  }
  if (location) {
    addLocation(info, location.facts);
    info.sources.location = location.source;
  }
  if (network?.facts.asn !== undefined) {
    info.asn = network.facts.asn;
    if (network.facts.organisation) info.organisation = network.facts.organisation;
    info.sources.asn = network.source;
  }
  if (kind) {
    info.kind = kind.kind;
    info.sources.kind = kind.source;
  }
  return info;
}

function hasLocation({ region, city, latitude }: RecordFacts): boolean {
  return region !== undefined || city !== undefined || latitude !== undefined;
}

function addLocation(info: AddressInfo, facts: RecordFacts): void {
  const { region, city, latitude, longitude, accuracyKm } = facts;
  if (region !== undefined) info.region = region;
  if (city !== undefined) info.city = city;
  if (latitude === undefined || longitude === undefined) return;
  info.latitude = latitude;
  info.longitude = longitude;
  if (accuracyKm !== undefined) info.accuracy_km = accuracyKm;
}

function kindOf(
  entries: readonly DatabaseEntry[],
  lists: readonly ListEntry[],
  asn: number | undefined,
): ListEntry | undefined {
  const known = asn === undefined ? undefined : kindOfNetwork(asn);
  const found: ListEntry[] = [...lists];
  for (const { source, facts } of entries) for (const kind of facts.kinds) found.push({ source, kind });
  if (known) found.push({ source: builtInNetworks, kind: known });
  if (found.length === 0) return undefined;
  return addressKinds.map((kind) => found.find((one) => one.kind === kind)).find((entry) => entry !== undefined);
}
