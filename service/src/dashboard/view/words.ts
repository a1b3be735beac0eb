import type { FacetName, IntegrityBit } from 'whorl/fingerprint';
import type {
  AddressKind,
  AgentProblem,
  DetachCause,
  Excuse,
  ListEffect,
  ListKind,
  MatchedBy,
  Outcome,
  ProofOutcome,
  Strength,
  Verdict,
} from 'whorl/wire';
import type { AdminActionName } from '../../ground/db/schema/index.js';
import { ruleEffects } from '../../ground/vocabulary.js';

/** Instructions of each verdict to the application. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  allow: 'Allow the action.',
  challenge: 'Ask for a code, then allow the action.',
  restrict: 'Allow the action with fewer permissions.',
  challenge_and_restrict: 'Ask for a code. Until it is entered, allow fewer permissions.',
  deny: 'Refuse the action.',
};

/** What made the effect of a reason milder. */
export const excuseWords: Readonly<Record<Excuse, string>> = {
  trust: 'Trust: a trusted device at a trusted address is never challenged.',
  address_change: 'Trust: this trusted device may change its address.',
  allow_entry: 'The user or the address is on an allow list.',
  rule: 'A rule of the project decided in its place.',
  completed_challenge: 'The challenge was already completed.',
  weak_evidence: 'The evidence is too weak for this effect.',
  risk_score: 'The risk score challenges in its place.',
  takeover_protection_off: 'Account takeover protection is off.',
  learning_days: 'The project is in its learning days, and this is the first device of the user.',
  test_key: 'With a test key, it is only reported.',
  observe_mode: 'In observe mode, everything is allowed.',
  shadow: 'The rule is in shadow, so it only shows what it would do.',
  rule_failed: 'The condition failed, so the rule does not count.',
};

/** Name of each kind of address. */
export const addressKindWords: Readonly<Record<AddressKind, string>> = {
  tor: 'Tor exit',
  relay: 'privacy relay',
  vpn: 'VPN',
  proxy: 'proxy',
  hosting: 'hosting',
  mobile: 'mobile network',
};

/** Returns whether a text is a kind of address. */
export function isAddressKind(text: string): text is AddressKind {
  return Object.hasOwn(addressKindWords, text);
}

/** What the effects of entries of lists do. */
export const listEffectWords: Readonly<Record<ListEffect, string>> = {
  block: 'Block: deny',
  allow: 'Allow: enforce only blocks',
  review: 'Review: report, and wait for a review',
};

/** Name of each kind of list entry. */
export const listKindWords: Readonly<Record<ListKind, string>> = {
  device: 'Device',
  hardware: 'Hardware',
  user: 'User',
  address: 'IP address',
  asn: 'Autonomous system',
  country: 'Country',
  email_domain: 'Email domain',
};

/** Explanation of each strength of the evidence that two evaluations come from one device. */
export const strengthWords: Readonly<Record<Strength, string>> = {
  fingerprint: 'Based on the fingerprint alone, which look-alike devices share.',
  corroborated:
    'Based on the fingerprint and on a shared IP address, a shared contact or the rarity of the fingerprint.',
  proven: 'Based on the same key, which cannot be copied.',
};

/** Name of each way in which a fingerprint was recognised. */
export const matchNames: Readonly<Record<MatchedBy, string>> = {
  exact: 'same fingerprint',
  key: 'same key',
  last: 'saved fingerprint',
  facets: 'similar fingerprint',
  new: 'not seen before',
};

/** Explanation of each way in which a fingerprint was recognised. */
export const matchWords: Readonly<Record<MatchedBy, string>> = {
  exact: 'exactly this fingerprint was seen before',
  key: 'the browser proved a key that was seen before',
  last: 'the fingerprint saved in the browser was seen before',
  facets: 'enough of the fingerprint matches one that was seen before',
  new: 'no similar fingerprint was seen before',
};

/** Results of checking a proof of key. */
export const proofWords: Readonly<Record<ProofOutcome, string>> = {
  valid: 'valid',
  malformed: 'not a valid proof, or not signed with the key it names',
  wrong_nonce: 'made for a nonce that this service did not issue',
  expired: 'its nonce had expired',
  wrong_time: 'not made while its nonce was valid',
  wrong_origin: 'made on an origin that the project does not allow',
  wrong_fingerprint: 'made with a different fingerprint',
  replayed: 'already used',
};

/** Why an agent could not be verified. */
export const agentProblemWords: Readonly<Record<AgentProblem, string>> = {
  unsigned: 'it signed nothing',
  malformed: 'its signature cannot be read',
  incomplete: 'the signature does not cover the host or the name of the agent',
  unsupported: 'the signature uses something that the server client does not support',
  not_yet_valid: 'signed in the future',
  expired: 'the signature had expired',
  unknown_agent: 'your server does not know the agent',
  unknown_key: 'signed with a key that the agent does not list',
  keys_unavailable: 'the keys of the agent could not be read',
  signature_mismatch: 'signed with another key, or for another host or request',
};

/** What each facet of a fingerprint is about (docs/facets.md). */
export const facetWords: Readonly<Record<FacetName, string>> = {
  engine: 'script engine',
  platform: 'operating system',
  cpu: 'processor',
  memory: 'memory',
  gpu: 'graphics processor',
  touch: 'touch screen',
  memoryFrom8: 'memory from 8 GiB',
  gl: 'WebGL',
  raster: 'drawing',
  text: 'drawing of text',
  audio: 'audio',
  fonts: 'fonts',
  metrics: 'size of text',
  media: 'media formats',
  maths: 'maths library',
  surface: 'CSS properties',
  screen: 'screen',
  input: 'pointing devices',
  locale: 'language',
  timezone: 'time zone',
  preferences: 'preferences',
};

/** Returns facets as words. Those of other versions are shown by name. */
export function facetList(names: readonly string[]): string {
  return names.map((name) => wordOf(facetWords, name) ?? name).join(', ');
}

/** Explanation of each sign of automation or tampering. */
export const integrityWords: Readonly<Record<IntegrityBit, string>> = {
  webdriver: 'the browser reports that it is automated',
  headless_user_agent: 'the user agent says that the browser is headless',
  driver_traces: 'an automation tool left traces in the page',
  proxied_function: 'a function of the browser was replaced by a proxy',
  accepts_wrong_receiver: 'a function accepts callers that it should reject',
  inconsistent_getter: 'the same reading gave two different values',
  resolution_contradiction: 'two ways of reading the screen size disagree',
  engine_contradiction: 'the browser engine is not the one that the browser claims',
  system_contradiction: 'the operating system is not the one that the browser claims',
  worker_contradiction: 'a worker reports different values from the page',
  canvas_noise: 'canvas readings contain noise',
  audio_noise: 'audio readings contain noise',
  inspected: 'developer tools or a debugger inspected the page',
  scripted_function: 'a function of the browser was replaced by a script',
  unreadable_check: 'something in the page prevented a check of the browser',
};

export const detachWords: Readonly<Record<DetachCause, string>> = {
  detach: 'by the project',
  kick: 'by the user',
  auto_detach: 'automatically, after a period of inactivity',
};

/** Names of administrators' actions in a timeline. */
export const adminActionWords: Readonly<Record<AdminActionName, string>> = {
  suspend: 'Suspended the user',
  activate: 'Reactivated the user',
  user_exported: 'Exported the data of the user',
  detach: 'Signed out a device',
  block: 'Blocked a device',
  unblock: 'Unblocked a device',
  trust: 'Marked a device as permanently trusted',
  distrust: 'Removed permanent trust from a device',
  label_fraud: 'Labelled an evaluation as fraud',
  label_legitimate: 'Labelled an evaluation as legitimate',
  label_removed: 'Removed the label of an evaluation',
  review_taken: 'Took an evaluation to review it',
  review_set_aside: 'Set an evaluation aside',
};

/** Values of details in the audit log, by the name of the detail. */
const auditValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  purpose: { first: 'first account', invitation: 'invitation', reset: 'new password' },
  list: listKindWords,
};

/** Details of the audit log whose other values are names of the API, and not texts of people. */
const auditNames = ['action', 'effect', 'fields', 'list', 'message', 'reason', 'role', 'second_factor', 'tool'];

/** Returns the value of a detail of the audit log as words. */
export function auditValue(detail: string, value: string): string {
  if (detail === 'filter') return filterValue(value);
  const word = wordOf(auditValues[detail], value);
  if (word !== undefined) return word;
  return auditNames.includes(detail) ? spaced(value) : value;
}

/** Returns logged filters as words: `min_devices=3 ip=…` as "min devices: 3, ip: …". */
function filterValue(text: string): string {
  return text.replace(/(^| )([a-z_]+)=/g, (_match, gap, name) => `${gap === '' ? '' : ', '}${spaced(String(name))}: `);
}

/** Returns a logged value of a setting, in which effects are words. Anything else is unchanged. */
export function loggedValue(text: string): string {
  if (ruleEffects.some((effect) => effect === text)) return spaced(text);
  return text.replace(/\beffect: ([a-z_]+)/g, (_match, effect) => `effect: ${spaced(String(effect))}`);
}

/** Returns the words for a name that can be of another version; undefined if there are none. */
export function wordOf(words: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return words && Object.hasOwn(words, name) ? words[name] : undefined;
}

/** Returns a name of the API as words: `new_device` as "new device". */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns an action as words, and whether the attempt failed: "login, failed". */
export function actionWords(action: string, outcome: Outcome): string {
  return outcome === 'failed' ? `${spaced(action)}, failed` : spaced(action);
}

/** Returns a share from 0 to 1 as a percentage. Rounds down, so that only 1 is shown as 100%. */
export function percent(share: number): string {
  const hundredths = Math.floor(share * 10_000) / 100;
  return `${hundredths}%`;
}
