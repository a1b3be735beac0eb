import type { Reason } from 'whorl/wire';

/** Why somebody is asked, as far as the page says so. Which signs gave a forger away it does not. */
export type Cause = 'too_many_devices' | 'several_places' | 'new_place' | 'unusual';

const ofNewPlaces: readonly Reason[] = ['new_device', 'new_ip', 'unproven_device'];

/** The cause in a challenge's reasons: what the person can do something about comes first. */
export function causeOf(reasons: readonly Reason[]): Cause {
  if (reasons.includes('limit_exceeded')) return 'too_many_devices';
  if (reasons.includes('concurrency')) return 'several_places';
  return reasons.some((reason) => ofNewPlaces.includes(reason)) ? 'new_place' : 'unusual';
}

/** Whether the devices of the account are what it is about. */
export function isAboutDevices(cause: Cause): boolean {
  return cause === 'too_many_devices' || cause === 'several_places';
}
