import type { RiskFacts, Seen } from './score-facts.js';
import { type Sentence, say } from './sentences.js';
import type { Evidence, Term } from './terms.js';
import type { Relief, Suspicion } from './weights.js';

/** From the best match to the worst. A device on one level also matches on all that follow. */
const deviceLevels = ['fingerprint', 'recognised', 'hardware', 'descriptor', 'unknown'] as const;

export type DeviceLevel = (typeof deviceLevels)[number];

/**
 * People replace devices between logins. A longer pause excuses no more, or dormant accounts would be easy to take
 * over.
 */
const mostDaysOfPause = 14;

/** Returns the finest level on which the user had this device before. */
export function deviceLevelOf({ device }: RiskFacts): DeviceLevel {
  if (device.descriptor.own === 0 && device.hardware.own === 0) return 'unknown';
  // Another graphics processor or audio stack is another device, however similar the rest is.
  if (device.hardware.own === 0) return 'descriptor';
  if (device.recognised.own === 0) return 'hardware';
  return device.fingerprint.own === 0 ? 'recognised' : 'fingerprint';
}

export function isKnown(level: DeviceLevel): boolean {
  return level === 'fingerprint' || level === 'recognised';
}

/** Devices of one model resemble each other. With fewer bits, it may well belong to a housemate. */
const ownResemblance = 6;

/** Returns whether a device is surely the user's, and not a device of somebody who lives there. */
export function isSurelyKnown(facts: RiskFacts, level: DeviceLevel): boolean {
  return level === 'fingerprint' || (level === 'recognised' && facts.resemblance >= ownResemblance);
}

const sentenceOf = {
  fingerprint: 'same_fingerprint',
  recognised: 'recognised',
  hardware: 'same_hardware',
  descriptor: 'same_system',
  unknown: 'new_system',
} as const satisfies Record<DeviceLevel, Sentence>;

/**
 * Each level adds to the relief of the worse ones, and only a new device is suspicious, so that a worse match is never
 * safer.
 */
export function deviceEvidence(facts: RiskFacts, level: DeviceLevel): Evidence {
  const { history, device } = facts;
  const text = say(sentenceOf[level]);
  if (isKnown(level)) {
    const resemblance = resemblanceOf(facts, level);
    const relief: Term<Relief>[] = [
      ['same_system', 1],
      ['same_hardware', 1],
      ['recognised', 1],
      ['resemblance', Math.min(sure, resemblance)],
      ['resemblance_sure', Math.max(0, resemblance - sure)],
    ];
    if (level === 'fingerprint') relief.push(['same_fingerprint', 1]);
    return { fact: 'device', relief, text: `${text} ${usersText(device.recognised)}` };
  }
  const relief: Term<Relief>[] = [];
  if (level !== 'unknown') relief.push(['same_system', 1]);
  if (level === 'hardware') relief.push(['same_hardware', 1]);
  const soon = (1 + mostDaysOfPause) / (1 + Math.min(mostDaysOfPause, history.daysSinceLast));
  const suspicion: Term<Suspicion>[] = [
    ['new_device', 1],
    ['new_device_steady', noveltyOf(history.devices, facts)],
    ['new_device_soon', Math.log2(soon)],
  ];
  return { fact: 'device', relief, suspicion, text };
}

/**
 * From here on, more bits of resemblance say little, and then nothing: whoever copies a fingerprint has as many as they
 * like.
 */
const sure = 8;
const mostResemblance = 16;

/** Returns how surely it is the recognised device, in bits. An exact fingerprint is as sure as can be. */
function resemblanceOf(facts: RiskFacts, level: DeviceLevel): number {
  return level === 'fingerprint' ? mostResemblance : Math.min(mostResemblance, facts.resemblance);
}

/** Returns how surely the device is one of the user's, from 0 for a new one to 1. */
export function knownShareOf(facts: RiskFacts, level: DeviceLevel): number {
  return isKnown(level) ? resemblanceOf(facts, level) / mostResemblance : 0;
}

/** Returns how often the user had a value, in bits: 0 for never. */
export function useOf({ own }: Seen): number {
  return Math.log2(1 + own);
}

/** Returns how unusual something new is for this user, in bits: 0 if half of what they have is new. */
export function noveltyOf(different: number, { history }: RiskFacts): number {
  return Math.max(0, Math.log2((history.logins + 2) / (different + 0.5)));
}

/** Returns how many users have a value. Counts stop at a limit, so a large one is only named as such. */
export function usersText({ users }: Seen): string {
  if (users >= 20) return say('many_users');
  return say(users === 1 ? 'one_user' : 'users', users);
}
