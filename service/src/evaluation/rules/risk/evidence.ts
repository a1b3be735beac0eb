import type { RiskFact } from './contribution.js';
import type { RiskFacts, Seen } from './facts.js';
import type { WeightName } from './weights.js';

/** One fact's evidence: how often each weight counts, or bits that need no weight, and a sentence. */
export interface Evidence {
  readonly fact: RiskFact;
  readonly terms: Readonly<Partial<Record<WeightName, number>>>;
  readonly fixedBits?: number;
  readonly text: string;
}

/** A key was stolen from the device, or the device itself is used: one attack in 8,000. An estimate. */
const stolenKeyBits = -13;
/** No device proves its key so reliably that a missing proof is worth more. */
const maxMissingProofBits = 7;
const impossibleKmh = 900;
const mostFailures = 4;
/** People replace devices between logins. A longer pause excuses no more, or dormant accounts would be easy to take over. */
const mostDaysOfPause = 14;

export const deviceLevels = ['fingerprint', 'recognised', 'hardware', 'descriptor', 'unknown'] as const;
export const addressLevels = ['address', 'network', 'city', 'asn', 'country', 'abroad'] as const;

type DeviceLevel = (typeof deviceLevels)[number];
type AddressLevel = (typeof addressLevels)[number];

/**
 * Returns the evidence of every fact that is known. Without earlier accesses there is nothing to compare with, so only
 * the kind of network and failures are evidence. Pure: the same facts give the same evidence.
 */
export function evidenceOf(facts: RiskFacts): readonly Evidence[] {
  const device = deviceLevelOf(facts);
  const compared =
    facts.history.logins === 0
      ? [kindEvidence(facts)]
      : [
          deviceEvidence(facts, device),
          proofEvidence(facts, device),
          addressEvidence(facts, device),
          kindEvidence(facts),
          travelEvidence(facts),
          timeEvidence(facts),
          historyEvidence(facts),
        ];
  return [...compared, failureEvidence(facts)].filter((evidence) => evidence !== undefined);
}

/** Returns the finest level on which the user had this device before. */
function deviceLevelOf({ device }: RiskFacts): DeviceLevel {
  return deviceLevels.find((level) => level === 'unknown' || device[level].own > 0) ?? 'unknown';
}

function isKnown(level: DeviceLevel): boolean {
  return level === 'fingerprint' || level === 'recognised';
}

/** Returns how rare a value is in the project, in bits: 0 if every user has it. */
function rarityOf({ users, of }: Seen): number {
  return Math.max(0, Math.log2((of + 2) / (users + 1)));
}

/** Returns how rarely the user shows a value, in bits: 0 if always. */
function disuseOf({ own }: Seen, { history }: RiskFacts): number {
  return Math.log2((history.logins + 1) / (own + 0.5));
}

/** Returns how unusual something new is for this user, in bits. */
function noveltyOf(different: number, { history }: RiskFacts): number {
  return Math.log2((history.logins + 2) / (different + 0.5));
}

const deviceTexts: Readonly<Record<DeviceLevel, string>> = {
  fingerprint: 'The user had exactly this fingerprint before.',
  recognised: 'The fingerprint resembles that of a device of the user.',
  hardware: 'The user had a device with the same hardware, and other settings.',
  descriptor: 'The user had another device with the same system and browser.',
  unknown: 'The user never had this system and browser.',
};

function deviceEvidence(facts: RiskFacts, level: DeviceLevel): Evidence {
  const text = deviceTexts[level];
  if (isKnown(level)) {
    const { recognised } = facts.device;
    const rarity = rarityOf(recognised);
    const known =
      level === 'fingerprint'
        ? { device_fingerprint: 1, device_fingerprint_rarity: rarity }
        : { device_recognised: 1, device_recognised_rarity: rarity };
    const shown = `${text} ${usersText(recognised)}`;
    return { fact: 'device', terms: { ...known, device_disuse: disuseOf(recognised, facts) }, text: shown };
  }
  // Each level adds to the one before, so that another system or browser never excuses anybody.
  const terms = {
    device_new: 1,
    ...(level !== 'hardware' && { device_hardware_new: 1 }),
    ...(level === 'unknown' && { device_descriptor_new: 1 }),
    device_new_novelty: noveltyOf(facts.history.devices, facts),
    device_new_pause: Math.log2(1 + Math.min(mostDaysOfPause, facts.history.daysSinceLast)),
  };
  return { fact: 'device', terms, text };
}

/** Returns how many users have a value. Counts stop at a limit, so a large one is only named as such. */
function usersText({ users }: Seen): string {
  if (users >= 20) return 'Many users have it.';
  return users === 1 ? '1 user has it.' : `${users} users have it.`;
}

/** A missing proof counts as much as the device is used to proving its key: only its known device could have one. */
function proofEvidence({ proof }: RiskFacts, level: DeviceLevel): Evidence | undefined {
  const { result, proven, deviceLogins } = proof;
  if (result === 'valid') {
    return { fact: 'proof', terms: {}, fixedBits: stolenKeyBits, text: 'The browser proved its key.' };
  }
  if (!isKnown(level) || proven === 0) return undefined;
  const usual = (proven + 0.5) / (deviceLogins + 1);
  const fixedBits = Math.min(maxMissingProofBits, -Math.log2(1 - usual));
  const text = `The browser did not prove its key, as it did in ${proven} of ${deviceLogins} logins.`;
  return { fact: 'proof', terms: {}, fixedBits, text };
}

const addressTexts: Readonly<Record<AddressLevel, string>> = {
  address: 'The user had this address before.',
  network: 'The user had another address of this network.',
  city: 'The user had another address of this provider in this city.',
  asn: 'The user had another address of this provider.',
  country: 'The user had another provider in this country.',
  abroad: 'The user was never in this country.',
};

/** Returns the finest level on which the user had this address before. Undefined if what is known matches on none. */
function addressLevelOf(levels: NonNullable<RiskFacts['address']>): AddressLevel | undefined {
  const found = addressLevels.find((level) => level !== 'abroad' && (levels[level]?.own ?? 0) > 0);
  return found ?? (levels.country && 'abroad');
}

function addressEvidence(facts: RiskFacts, device: DeviceLevel): Evidence | undefined {
  const { address } = facts;
  const level = address && addressLevelOf(address);
  if (!level) return undefined;
  const text = addressTexts[level];
  const place = isKnown(device) ? (`known_at_${level}` as const) : (`new_at_${level}` as const);
  const novelty = { new_address_novelty: noveltyOf(facts.history.addresses, facts) };
  const seen = level === 'abroad' ? undefined : address[level];
  if (level === 'abroad' || !seen) return { fact: 'address', terms: { [place]: 1, ...novelty }, text };
  const rarity = isKnown(device) ? (`known_at_${level}_rarity` as const) : (`new_at_${level}_rarity` as const);
  const disuse = { [`${level}_disuse` as const]: disuseOf(seen, facts) };
  const terms = {
    [place]: 1,
    [rarity]: rarityOf(seen),
    ...disuse,
    ...(level !== 'address' && novelty),
    ...spreadOf(facts, { level, device }),
  };
  return { fact: 'address', terms, text: level === 'address' ? `${text} ${usersText(seen)}` : text };
}

/** A user with many addresses in one city is behind a shared gateway, or gets a new one every day: one more says little. */
function spreadOf(
  { history }: RiskFacts,
  { level, device }: { readonly level: AddressLevel; readonly device: DeviceLevel },
): Evidence['terms'] {
  if (level === 'asn' || level === 'country' || level === 'abroad') return {};
  const name = isKnown(device) ? (`known_at_${level}_spread` as const) : (`new_at_${level}_spread` as const);
  return { [name]: Math.log2(1 + history.addressesInCity) };
}

function kindEvidence({ kind: known }: RiskFacts): Evidence | undefined {
  if (!known) return undefined;
  const { kind, isUsual } = known;
  const name = kind === 'mobile' || kind === 'relay' || kind === 'hosting' ? kind : 'anonymous';
  const text = isUsual
    ? `The user was on such a network (${kind}) before.`
    : `The user was never on such a network (${kind}).`;
  return { fact: 'kind', terms: { [isUsual ? (`${name}_usual` as const) : (`${name}_unusual` as const)]: 1 }, text };
}

function travelEvidence({ speedKmh }: RiskFacts): Evidence | undefined {
  if (speedKmh === undefined || speedKmh <= impossibleKmh) return undefined;
  const text = `Nobody travels as fast as ${Math.round(speedKmh).toLocaleString('en')} km/h from the last place.`;
  return { fact: 'travel', terms: { impossible_travel: 1 }, text };
}

function timeEvidence({ history }: RiskFacts): Evidence {
  const { logins, hourShare, generalHourShare } = history;
  // The share among a few logins says little, so the general one counts like four of them.
  const expected = (hourShare * logins + generalHourShare * 4) / (logins + 4);
  const hour = Math.log2(Math.max(generalHourShare, 0.01) / Math.max(expected, 0.001));
  const text = `${Math.round(expected * 100)} % of the user's logins are expected at this time of day.`;
  return { fact: 'time', terms: { hour }, text };
}

/** The longer the history, the more is expected to be known by now. */
function historyEvidence({ history: { logins, daysSinceLast } }: RiskFacts): Evidence {
  const terms = { pause: Math.log2(1 + daysSinceLast), history: Math.log2(1 + logins) };
  const compared = logins === 1 ? '1 earlier login is' : `${logins} earlier logins are`;
  const days = Math.round(daysSinceLast);
  const text = `${compared} known to compare with, the last one from ${days} ${days === 1 ? 'day' : 'days'} ago.`;
  return { fact: 'history', terms, text };
}

function failureEvidence({ failures }: RiskFacts): Evidence | undefined {
  if (failures === 0) return undefined;
  const text =
    failures === 1 ? '1 attempt failed within the last hour.' : `${failures} attempts failed within the last hour.`;
  return { fact: 'failures', terms: { failures: Math.min(mostFailures, failures) }, text };
}
