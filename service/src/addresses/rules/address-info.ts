import type { AddressInfo, AddressKind } from 'whorl/wire';
import type { RecordFacts } from './database-record.js';
import { kindOfNetwork } from './network-kinds.js';
import { present } from './present.js';

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
  return {
    ...(country && present({ country: country.facts.country })),
    ...(location && locationOf(location.facts)),
    ...(network && present({ asn: network.facts.asn, organisation: network.facts.organisation })),
    ...(kind && { kind: kind.kind }),
    sources: present({
      country: country?.source,
      location: location?.source,
      asn: network?.source,
      kind: kind?.source,
    }),
  };
}

function hasLocation({ region, city, latitude }: RecordFacts): boolean {
  return region !== undefined || city !== undefined || latitude !== undefined;
}

function locationOf({ region, city, latitude, longitude, accuracyKm }: RecordFacts) {
  const coordinates = latitude === undefined ? {} : { latitude, longitude, accuracy_km: accuracyKm };
  return present({ region, city, ...coordinates });
}

function kindOf(
  entries: readonly DatabaseEntry[],
  lists: readonly ListEntry[],
  asn: number | undefined,
): ListEntry | undefined {
  const known = asn === undefined ? undefined : kindOfNetwork(asn);
  const found = [
    ...lists,
    ...entries.flatMap(({ source, facts }) => facts.kinds.map((kind) => ({ source, kind }))),
    ...(known ? [{ source: builtInNetworks, kind: known }] : []),
  ];
  for (const kind of addressKinds) {
    const entry = found.find((one) => one.kind === kind);
    if (entry) return entry;
  }
  return undefined;
}
