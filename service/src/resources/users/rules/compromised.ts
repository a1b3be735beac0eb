import { dayMs } from '../../../ground/time.js';

/** Time for which an account counts as compromised after its user did not recognise a device. */
export const compromisedDays = 30;

/** Returns the time at which the user did not recognise a device, if it still counts. */
export function compromisedSince(disownedAt: Date | null, now: Date): Date | undefined {
  const isRecent = disownedAt !== null && now.getTime() - disownedAt.getTime() < compromisedDays * dayMs;
  return isRecent ? disownedAt : undefined;
}
