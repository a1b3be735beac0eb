import type { AddressKind } from 'whorl/wire';
import type { Detector, Facts } from '../facts.js';
import { journeyTo } from '../history.js';

/** Faster than an airliner, in km/h. */
const impossibleKmh = 900;

/** Networks that hide where a person is. Relays of browser makers do not: they keep the country, and many people use them. */
const anonymousKinds: readonly AddressKind[] = ['vpn', 'proxy', 'tor'];

/** Returns what is known about the address; undefined if the address may be that of a proxy. */
function infoOf({ address }: Facts) {
  return address?.isShared ? undefined : address?.info;
}

/**
 * Detects that nobody could have travelled here since the user's last access whose place is known. Relays, anonymisers,
 * servers and mobile gateways are not where the person is, so they are not compared.
 */
export const impossibleTravel: Detector = (facts) => {
  const journey = journeyTo(infoOf(facts), facts.history, facts.now);
  if (!journey || journey.kmh <= impossibleKmh) return undefined;
  return {
    reason: 'impossible_travel',
    evidence: {
      km: Math.round(journey.km),
      hours: Math.round(journey.hours * 100) / 100,
      km_per_hour: Math.round(journey.kmh),
    },
  };
};

/** Detects a country in which the user was never seen. A user whose countries are not known has none to compare with. */
export const newCountry: Detector = (facts) => {
  const country = infoOf(facts)?.country;
  const known = new Set(facts.history.map(({ info }) => info?.country).filter((name) => name !== undefined));
  if (country === undefined || known.size === 0 || known.has(country)) return undefined;
  return { reason: 'new_country', evidence: { country, known_countries: [...known].sort() } };
};

/** Detects a network that hides where its users are: a VPN, a proxy or Tor. */
export const anonymousNetwork: Detector = (facts) => {
  const info = infoOf(facts);
  if (info?.kind === undefined || !anonymousKinds.includes(info.kind)) return undefined;
  return { reason: 'anonymous_network', evidence: { address_kind: info.kind, source: info.sources.kind } };
};
