import { z } from 'zod';
import { integrityWords, matchWords, percent, proofWords, spaced } from '../view/words.js';

/** One line of evidence: a term, and what it is in words. */
export interface EvidenceLine {
  readonly term: string;
  readonly text: string;
}

type Reading = readonly [term: string, read?: (value: unknown) => string];

const yesOrNo = (value: unknown) => (value === true ? 'yes' : 'no');
const lookUp = (words: Readonly<Record<string, string>>) => (value: unknown) =>
  typeof value === 'string' && Object.hasOwn(words, value) ? `${spaced(value)}: ${words[value]}` : plain(value);
const each = (read: (value: unknown) => string) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map(read).join('; ') : plain(value);

const deviceProofWords = {
  none: 'it came without one, or this user has no such device',
  valid: 'it is a key of this device',
  foreign: 'it is not a key of this device',
};

const contradictionWords = {
  family: 'another family of browsers',
  system: 'another operating system',
  version: 'another version',
};

/** What evidence is called for people, and how it is read. What is not among these is shown as it is. */
const readings: Readonly<Record<string, Reading>> = {
  matched_by: ['Recognised by', lookUp(matchWords)],
  confidence: ['Confidence', (value) => (typeof value === 'number' ? percent(value) : plain(value))],
  changed: ['Facets that changed'],
  device_id: ['Device'],
  device_status: ['Status of the device'],
  variant_known: ['Trusted in this fingerprint', yesOrNo],
  proof: ['Key', lookUp(deviceProofWords)],
  refused: ['Why the proof did not count', lookUp(proofWords)],
  device_trusted: ['Device is trusted', yesOrNo],
  kind: ['Kind of device'],
  exceeded: ['Limits that would be exceeded'],
  attached: ['Devices attached before'],
  limit: ['Devices allowed', (value) => fieldsOf(value, 'no limit')],
  devices: ['Devices active at once'],
  minutes: ['Within minutes'],
  other_devices: ['The other devices'],
  others: ['Other users on the device', countsByStrength],
  same_device: ["The device is the referrer's", yesOrNo],
  same_address: ["The address is the referrer's", yesOrNo],
  same_contact: ["The contact is the referrer's", yesOrNo],
  same_key: ["The key is the referrer's", yesOrNo],
  users_on_device: ['Users today from this device'],
  users_per_device: ['Allowed from one device'],
  users_at_address: ['Users today from this address'],
  users_per_address: ['Allowed from one address'],
  domain: ['Domain of the mail address'],
  integrity: ['What the browser showed', each(lookUp(integrityWords))],
  user_agent: ['The user agent names', each(lookUp(contradictionWords))],
  readable_facets: ['Facets that could be read'],
  placeholder: ['A placeholder came in place of a fingerprint', yesOrNo],
  blocked: ['What is blocked'],
};

/** Evidence in words: known terms in the order of their table, then unknown ones under their own names. */
export function evidenceLines(evidence: Readonly<Record<string, unknown>>): EvidenceLine[] {
  const known = Object.entries(readings).flatMap(([name, [term, read = plain]]) =>
    Object.hasOwn(evidence, name) ? [{ term, text: read(evidence[name]) }] : [],
  );
  const others = Object.entries(evidence).filter(([name]) => !Object.hasOwn(readings, name));
  return [...known, ...others.map(([name, value]) => ({ term: spaced(name), text: plain(value) }))];
}

const counts = z.object({ fingerprint: z.number(), corroborated: z.number(), proven: z.number() });

function countsByStrength(value: unknown): string {
  const { success, data } = counts.safeParse(value);
  if (!success) return plain(value);
  return `${data.fingerprint} with the same fingerprint; of these, ${data.corroborated} corroborated, ${data.proven} proven`;
}

/** Any value in one line: lists by commas, fields by name, nothing as "none". */
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
