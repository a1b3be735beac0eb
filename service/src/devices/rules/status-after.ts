import type { DeviceStatus, Verdict } from 'whorl/wire';

/** A user's device as it stands. */
export interface StandingDevice {
  readonly status: DeviceStatus;
  readonly autoDetached: boolean;
}

/** Whether a verdict asks for a code first. */
export function challenges(verdict: Verdict): boolean {
  return verdict === 'challenge' || verdict === 'challenge_and_restrict';
}

/**
 * What a verdict makes of a user's device; undefined where there is none and none is made. A device that waits for its
 * challenge is attached by an allowed login, not by other actions: they are asked of sessions that it may not have.
 */
export function statusAfter(
  verdict: Verdict,
  device: StandingDevice | undefined,
  isLogin: boolean,
): DeviceStatus | undefined {
  if (verdict === 'deny') return device?.status;
  if (!device) return challenges(verdict) ? 'pending' : 'attached';
  if (device.status === 'blocked' || device.status === 'attached') return device.status;
  if (challenges(verdict)) return device.autoDetached ? 'detached' : 'pending';
  if (device.status === 'pending') return isLogin ? 'attached' : 'pending';
  return 'attached';
}
