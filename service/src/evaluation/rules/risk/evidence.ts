import type { RiskFacts, Seen } from './facts.js';
import type { WeightName } from './weights.js';

/** Facts that contribute to the score, in the order in which they are shown. */
export const riskFacts = ['device', 'proof', 'address', 'kind', 'travel', 'time', 'failures'] as const;

export type RiskFact = (typeof riskFacts)[number];

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

export const deviceLevels = ['fingerprint', 'recognised', 'hardware', 'descriptor', 'unknown'] as const;
export const addressLevels = ['address', 'network', 'city', 'asn', 'country', 'abroad'] as const;

type DeviceLevel = (typeof deviceLevels)[number];
type AddressLevel = (typeof addressLevels)[number];

/** Returns the evidence of every fact that is known. Pure: the same facts give the same evidence. */
export function evidenceOf(facts: RiskFacts): readonly Evidence[] {
  const device = deviceLevelOf(facts);
  const found = [
    deviceEvidence(facts, device),
    proofEvidence(facts, device),
    addressEvidence(facts, device),
    kindEvidence(facts),
    travelEvidence(facts),
    timeEvidence(facts),
    failureEvidence(facts),
  ];
  return found.filter((evidence) => evidence !== undefined);
}

/** Returns the finest level on which the user had this device before. */
function deviceLevelOf({ device }: RiskFacts): DeviceLevel {
  return deviceLevels.find((level) => level === 'unknown' || device[level].own > 0) ?? 'unknown';
}

function isKnown(level: DeviceLevel): boolean {
  return level === 'fingerprint' || level === 'recognised';
}

/** Returns how rare a value is in the project, in bits: 0 if every user has it. */
function rarityOf({ users: seen }: Seen, { users }: RiskFacts): number {
  return Math.log2((users + 2) / (seen + 1));
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
  if (level === 'unknown') return { fact: 'device', terms: { device_unknown: 1, ...newDevice(facts) }, text };
  const seen = facts.device[level];
  const rarity = rarityOf(seen, facts);
  const shared = `${text} ${seen.users} of ${facts.users} users have it.`;
  if (level === 'descriptor') return { fact: 'device', terms: { device_descriptor: 1, ...newDevice(facts) }, text };
  if (level === 'hardware') {
    const terms = { device_hardware: 1, device_hardware_rarity: rarity, ...newDevice(facts) };
    return { fact: 'device', terms, text: shared };
  }
  const recognised = facts.device.recognised;
  const terms =
    level === 'fingerprint'
      ? { device_fingerprint: 1, device_fingerprint_rarity: rarity, device_disuse: disuseOf(recognised, facts) }
      : { device_recognised: 1, device_recognised_rarity: rarity, device_disuse: disuseOf(recognised, facts) };
  return { fact: 'device', terms, text: shared };
}

function newDevice(facts: RiskFacts): Evidence['terms'] {
  return {
    new_device_novelty: noveltyOf(facts.history.devices, facts),
    new_device_pause: Math.log2(1 + facts.history.daysSinceLast),
  };
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

function addressEvidence(facts: RiskFacts, device: DeviceLevel): Evidence | undefined {
  const { address } = facts;
  if (!address) return undefined;
  const level = addressLevels.find((each) => each === 'abroad' || address[each].own > 0) ?? 'abroad';
  const text = addressTexts[level];
  const place = isKnown(device) ? (`known_at_${level}` as const) : (`new_at_${level}` as const);
  if (level === 'abroad') {
    const terms = { [place]: 1, new_address_novelty: noveltyOf(facts.history.addresses, facts) };
    return { fact: 'address', terms, text };
  }
  const seen = address[level];
  const rarity = isKnown(device) ? (`known_at_${level}_rarity` as const) : (`new_at_${level}_rarity` as const);
  const novelty =
    level === 'address'
      ? { address_disuse: disuseOf(seen, facts) }
      : {
          new_address_novelty: noveltyOf(facts.history.addresses, facts),
          [`${level}_disuse` as const]: disuseOf(seen, facts),
        };
  const terms = { [place]: 1, [rarity]: rarityOf(seen, facts), ...novelty, ...spreadOf(facts, { level, device }) };
  return { fact: 'address', terms, text: `${text} ${seen.users} of ${facts.users} users have it.` };
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
  return {
    fact: 'travel',
    terms: { impossible_travel: 1 },
    text: `This is ${Math.round(speedKmh)} km/h from the last trusted login.`,
  };
}

function timeEvidence({ history }: RiskFacts): Evidence {
  const { logins, hourShare, generalHourShare, daysSinceLast } = history;
  // The share among a few logins says little, so the general one counts like four of them.
  const expected = (hourShare * logins + generalHourShare * 4) / (logins + 4);
  const terms = {
    hour: Math.log2(Math.max(generalHourShare, 0.01) / Math.max(expected, 0.001)),
    pause: Math.log2(1 + daysSinceLast),
    history: Math.log2(1 + logins),
  };
  const text = `${Math.round(expected * 100)} % of the user's logins are at this time of day; ${Math.round(daysSinceLast)} days since the last.`;
  return { fact: 'time', terms, text };
}

function failureEvidence({ failures }: RiskFacts): Evidence | undefined {
  if (failures === 0) return undefined;
  const text = `${failures} attempts failed within the last hour.`;
  return { fact: 'failures', terms: { failures: Math.min(mostFailures, failures) }, text };
}
