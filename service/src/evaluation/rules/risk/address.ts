import { type DeviceLevel, knownShareOf, noveltyOf, useOf, usersText } from './device.js';
import type { RiskFacts, Seen } from './score-facts.js';
import { type Sentence, say } from './sentences.js';
import type { Evidence, Term } from './terms.js';
import type { Relief, Suspicion } from './weights.js';

/** From the worst match to the best. An address on one level also matches on all before. */
export const addressLevels = ['country', 'asn', 'city', 'network', 'address'] as const;

type AddressLevel = (typeof addressLevels)[number];

const sentenceOf = {
  address: 'same_address',
  network: 'same_network',
  city: 'same_city',
  asn: 'same_provider',
  country: 'same_country',
  abroad: 'new_country',
} as const satisfies Record<AddressLevel | 'abroad', Sentence>;

/** More different addresses in one city say nothing more. */
const mostAddresses = 15;

/** Returns the finest level on which the user had this address before. Undefined if what is known matches on none. */
function addressLevelOf(levels: NonNullable<RiskFacts['address']>): AddressLevel | 'abroad' | undefined {
  const found = addressLevels.findLast((level) => (levels[level]?.own ?? 0) > 0);
  return found ?? (levels.country && 'abroad');
}

/** Returns whether the user was never at this provider, nor in this country if no provider is known. */
export function isNewProvider({ address }: RiskFacts): boolean {
  const level = address && addressLevelOf(address);
  return (level === 'country' || level === 'abroad') && (address?.asn ?? address?.country)?.own === 0;
}

/**
 * Each level adds to the relief of the worse ones, so that a worse match is never safer. A known device earns more at
 * each, because whoever lives or works with the user has the same address.
 */
export function addressEvidence(facts: RiskFacts, device: DeviceLevel): Evidence {
  const { address, history } = facts;
  const level = address && addressLevelOf(address);
  const known = knownShareOf(facts, device);
  const suspicion: Term<Suspicion>[] = [];
  if (address && level !== 'address') suspicion.push(['new_address_steady', noveltyOf(history.addresses, facts)]);
  if (address?.asn?.own === 0) suspicion.push(['new_provider_rarity', rarityOf(address.asn)]);
  // Nobody whose place is not known can be told from somebody in the user's country.
  if (!level) return { fact: 'address', relief: reliefAt('country', known), suspicion, text: say('unknown_place') };
  const reached = level === 'abroad' ? [] : addressLevels.slice(0, addressLevels.indexOf(level) + 1);
  const relief = reached.flatMap((each) => [...reliefAt(each, known), ...detailsAt(each, facts)]);
  const sentence = say(sentenceOf[level]);
  const text = level === 'address' && address.address ? `${sentence} ${usersText(address.address)}` : sentence;
  return { fact: 'address', relief, suspicion, text };
}

function reliefAt(level: AddressLevel, known: number): Term<Relief>[] {
  return [
    [`at_${level}`, 1],
    [`known_at_${level}`, known],
  ];
}

/** Returns what else is known on a level: how often the user was there, how rare that is, and how much it varies. */
function detailsAt(level: AddressLevel, { address, history }: RiskFacts): Term<Relief>[] {
  const seen = address?.[level];
  if (!seen || level === 'country') return [];
  const use: Term<Relief> = [`at_${level}_use`, useOf(seen)];
  if (level !== 'address' && level !== 'network') return [use];
  // A user with many addresses in one city is behind a shared gateway, or gets a new one every day.
  const settled = Math.log2((1 + mostAddresses) / (1 + Math.min(mostAddresses, history.addressesInCity)));
  return [use, [`at_${level}_rarity`, rarityOf(seen)], [`at_${level}_settled`, settled]];
}

/** Returns how rare a value is in the project, in bits: 0 if every user has it. */
function rarityOf({ users, of }: Seen): number {
  return Math.max(0, Math.log2((of + 2) / (users + 1)));
}
