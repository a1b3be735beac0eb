import { z } from 'zod';
import { countryName } from '../view/address.js';
import {
  addressKindWords,
  agentProblemWords,
  facetList,
  integrityWords,
  listKindWords,
  matchWords,
  percent,
  proofWords,
  spaced,
  wordOf,
} from '../view/words.js';

/** One line of evidence. */
export interface EvidenceLine {
  readonly term: string;
  readonly text: string;
}

type Reading = readonly [term: string, read?: (value: unknown) => string];

const yesOrNo = (value: unknown) => (value === true ? 'yes' : 'no');
const lookUp = (words: Readonly<Record<string, string>>) => (value: unknown) =>
  (typeof value === 'string' ? wordOf(words, value) : undefined) ?? plain(value);
const each = (read: (value: unknown) => string) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map(read).join('; ') : plain(value);

const inPercent = (value: unknown) => `${plain(value)}%`;

const deviceProofWords = {
  none: 'no proof was sent, or this user has no such device',
  valid: 'the key belongs to this device',
  foreign: 'the key does not belong to this device',
};

const contradictionWords = {
  family: 'a different browser',
  system: 'a different operating system',
  version: 'a different version',
};

/**
 * Label of each piece of evidence, and how to print its value. Evidence that is not listed here is printed unchanged.
 */
const readings: Readonly<Record<string, Reading>> = {
  matched_by: ['Recognised by', lookUp(matchWords)],
  confidence: ['Confidence', (value) => (typeof value === 'number' ? percent(value) : plain(value))],
  changed: ['Changed facets', (value) => (isTexts(value) && value.length > 0 ? facetList(value) : plain(value))],
  device_id: ['Device'],
  device_status: ['Device status'],
  variant_known: ['Trust covers this fingerprint', yesOrNo],
  proof: ['Key', lookUp(deviceProofWords)],
  refused: ['Why the proof was rejected', lookUp(proofWords)],
  device_trusted: ['Device trusted', yesOrNo],
  kind: ['Device type'],
  exceeded: ['Exceeded limits'],
  attached: ['Devices already attached'],
  limit: ['Devices allowed', (value) => fieldsOf(value, 'no limit')],
  devices: ['Devices active at the same time'],
  minutes: ['Time window in minutes'],
  other_devices: ['Other devices'],
  others: ['Other users on the device', countsByStrength],
  same_device: ['Same device as the referrer', yesOrNo],
  same_address: ['Same IP address as the referrer', yesOrNo],
  same_contact: ['Same contact as the referrer', yesOrNo],
  same_key: ['Same key as the referrer', yesOrNo],
  users_on_device: ['Users from this device today'],
  users_per_device: ['Users allowed per device'],
  users_at_address: ['Users from this IP address today'],
  users_per_address: ['Users allowed per IP address'],
  domain: ['Email domain'],
  integrity: ['Signs in the browser', each(lookUp(integrityWords))],
  user_agent: ['User agent mismatch', each(lookUp(contradictionWords))],
  agent: ['Agent'],
  verified: ['Signature verified', yesOrNo],
  problem: ['Why it is not verified', lookUp(agentProblemWords)],
  readable_facets: ['Readable facets'],
  placeholder: ['Placeholder instead of a fingerprint', yesOrNo],
  missing: ['No fingerprint in the request', yesOrNo],
  score: ['Risk score', inPercent],
  threshold: ['Threshold', inPercent],
  new_device_at_known_address: ['New device at an address of the user', yesOrNo],
  detached_device: ['Device was detached', yesOrNo],
  blocked: ['Blocked'],
  km: ['Distance in km'],
  hours: ['Hours since the last access'],
  km_per_hour: ['Speed in km/h, at least'],
  country: ['Country', countryOf],
  known_countries: ['Countries of this user', each(countryOf)],
  address_kind: ['Kind of network', lookUp(addressKindWords)],
  source: ['According to'],
  rules: ['Rules', each(ruleText)],
  entries: ['Entries', each(entryText)],
};

/** Returns evidence as text: known entries in the order of their table, then unknown ones by name. */
export function evidenceLines(evidence: Readonly<Record<string, unknown>>): EvidenceLine[] {
  const known = Object.entries(readings).flatMap(([name, [term, read = plain]]) =>
    Object.hasOwn(evidence, name) ? [{ term, text: read(evidence[name]) }] : [],
  );
  const others = Object.entries(evidence).filter(([name]) => !Object.hasOwn(readings, name));
  return [...known, ...others.map(([name, value]) => ({ term: spaced(name), text: plain(value) }))];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

const matchedRule = z.object({ name: z.string(), effect: z.string(), tag: z.string().optional() });

function ruleText(value: unknown): string {
  const { success, data } = matchedRule.safeParse(value);
  if (!success) return plain(value);
  return `“${data.name}”: ${spaced(data.effect)}${data.tag === undefined ? '' : ` “${data.tag}”`}`;
}

const listEntry = z.object({ kind: z.string(), effect: z.string() });

function entryText(value: unknown): string {
  const { success, data } = listEntry.safeParse(value);
  return success ? `${lookUp(listKindWords)(data.kind)}: ${spaced(data.effect)}` : plain(value);
}

function countryOf(value: unknown): string {
  return typeof value === 'string' ? countryName(value) : plain(value);
}

const counts = z.object({ fingerprint: z.number(), corroborated: z.number(), proven: z.number() });

function countsByStrength(value: unknown): string {
  const { success, data } = counts.safeParse(value);
  if (!success) return plain(value);
  return `${data.fingerprint} with the same fingerprint (${data.corroborated} corroborated, ${data.proven} proven)`;
}

/** Returns any value as one line of text. Empty values are "none". */
export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (value === true || value === false) return yesOrNo(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plain).join(', ');
  return fieldsOf(value, 'none');
}

function fieldsOf(value: unknown, nothing: string): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${spaced(name)}: ${part === null ? nothing : plain(part)}`)
    .join(', ');
}
