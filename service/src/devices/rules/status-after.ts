import type { DeviceStatus, Verdict } from 'whorl/wire';

/** Current state of a user's device. */
export interface CurrentDevice {
  readonly status: DeviceStatus;
  readonly autoDetached: boolean;
}

/** Returns whether a verdict requires a challenge. */
export function challenges(verdict: Verdict): boolean {
  return verdict === 'challenge' || verdict === 'challenge_and_restrict';
}

/**
 * Returns the status of a user's device after a verdict; undefined if there is no device and none is created. A pending
 * device is attached by an allowed login but not by other actions, because those may come from a session that it should
 * not have.
 */
export function statusAfter(
  verdict: Verdict,
  device: CurrentDevice | undefined,
  isLogin: boolean,
): DeviceStatus | undefined {
  if (verdict === 'deny') return device?.status;
  if (!device) return challenges(verdict) ? 'pending' : 'attached';
  if (device.status === 'blocked' || device.status === 'attached') return device.status;
  if (challenges(verdict)) return device.autoDetached ? 'detached' : 'pending';
  if (device.status === 'pending') return isLogin ? 'attached' : 'pending';
  return 'attached';
}
