import type { IntegrityBit } from 'whorl/fingerprint';
import type { DetachCause, EventType, MatchedBy, ProofOutcome, Reason, Strength, Verdict } from 'whorl/wire';
import type { AdminActionName } from '../../db/schema/index.js';

/** What each verdict asks of the application. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  allow: 'Let in.',
  challenge: 'Let in after a code was entered.',
  restrict: 'Let in, with less allowed.',
  challenge_and_restrict: 'Let in after a code was entered, with less allowed until then.',
  deny: 'Refused.',
};

/** What each reason says, in one sentence. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  new_device: 'No device that this user is known by matches.',
  new_ip: 'The address is not trusted for this user.',
  unproven_device: 'The device holds a key, and came without it or with another.',
  limit_exceeded: 'With this device, the user has more devices than the project allows.',
  concurrency: 'Devices of this user were active at different addresses at the same time.',
  multiple_accounts: 'Other users were seen on the same device.',
  self_referral: 'The device or the address is one of the user who referred this one.',
  velocity: 'More users a day came from this device or address than the project allows.',
  disposable_email: 'The mail address is of a provider of throw-away addresses.',
  automation: 'The browser shows signs of being driven by a program.',
  tampering: 'What the browser says of itself contradicts what it does.',
  unreadable_fingerprint: 'The fingerprint is none, or too little of it could be read to recognise anything.',
  blocked: 'The device, the user or the address is blocked.',
};

/** How sure it is that two evaluations come from one device. */
export const strengthWords: Readonly<Record<Strength, string>> = {
  fingerprint: 'The fingerprint alone says so: look-alike devices share it.',
  corroborated: 'The fingerprint says so, and an address, a contact or the rarity of the fingerprint with it.',
  proven: 'The same key says so, which nobody can copy.',
};

/** How a fingerprint was recognised. */
export const matchWords: Readonly<Record<MatchedBy, string>> = {
  exact: 'the very same fingerprint was seen before',
  last: 'the fingerprint that the browser had saved was seen before',
  facets: 'enough of the fingerprint is like one that was seen before',
  new: 'nothing like it was seen before',
};

/** What came of a proof that a browser holds a key. */
export const proofWords: Readonly<Record<ProofOutcome, string>> = {
  valid: 'valid',
  malformed: 'no proof of this package, or not signed with the key it shows',
  wrong_nonce: 'made for a nonce that was not given out here',
  expired: 'too late: its nonce was over',
  wrong_time: 'not made in the time of its nonce',
  wrong_origin: 'made in a page of an origin that the project does not allow',
  wrong_fingerprint: 'made with another fingerprint',
  replayed: 'used before',
};

/** What each sign of automation or tampering is. */
export const integrityWords: Readonly<Record<IntegrityBit, string>> = {
  webdriver: 'the browser says that it is driven',
  headless_user_agent: 'the browser calls itself headless',
  driver_traces: 'a driving program left its traces in the page',
  proxied_function: 'a function of the browser was replaced by a proxy',
  answers_strangers: 'a function answers callers that it should refuse',
  two_answers: 'the same question got two answers',
  resolution_contradiction: 'two ways of asking for the screen disagree',
  engine_contradiction: 'the engine is not the one that the browser claims',
  system_contradiction: 'the system is not the one that the browser claims',
  worker_contradiction: 'a worker says something else than the page',
  canvas_noise: 'drawings come back with noise',
  audio_noise: 'sound comes back with noise',
  inspected: 'the page was inspected while it ran',
  scripted_function: 'a function of the browser was replaced by a script',
};

/** What happened, in the words of a timeline. */
export const eventWords: Readonly<Record<EventType, string>> = {
  'challenge.initiated': 'Challenge made',
  'challenge.viewed': 'Challenge seen by the user',
  'challenge.pending': 'Code sent',
  'challenge.skipped': 'Challenge skipped',
  'challenge.completed': 'Challenge completed',
  'account_sharing.signal': 'Signal of account sharing',
  'account_sharing.admin_notified': 'Project told of a shared account',
  'device.detached': 'Device signed out',
  'user.converted': 'A sharer became a user of its own',
};

export const detachWords: Readonly<Record<DetachCause, string>> = {
  detach: 'by the project',
  kick: 'by the user',
  auto_detach: 'after a time without use',
};

/** What a person did. */
export const adminActionWords: Readonly<Record<AdminActionName, string>> = {
  suspend: 'Suspended the user',
  activate: 'Lifted the suspension of the user',
  detach: 'Signed a device out',
  block: 'Blocked a device',
  unblock: 'Unblocked a device',
  trust: 'Trusted a device for good',
  distrust: 'Took the lasting trust from a device',
  label_fraud: 'Labelled an evaluation as fraud',
  label_legitimate: 'Labelled an evaluation as legitimate',
};

/** A name of the API as words: `new_device` as "new device". */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** 0 to 1 as a percentage, without rounding up to a certainty that there is not. */
export function percent(share: number): string {
  const hundredths = Math.floor(share * 10_000) / 100;
  return `${hundredths}%`;
}
