import type { DeviceKind, DeviceLimit } from 'whorl/wire';
import type { Settings } from '../../projects/rules/settings.js';

/** Number of a user's attached devices, by kind. */
export type AttachedDevices = Readonly<Partial<Record<DeviceKind, number>>>;

/** Device that a challenge or an attachment is about. */
export interface DeviceInQuestion {
  readonly kind: DeviceKind;
  /** Whether it is already attached. */
  readonly isAttached: boolean;
}

/**
 * Returns the limits shown with a challenge: the number of attached devices of the user, and whether a limit is
 * exceeded with this device included. A device of unknown kind counts only towards the overall limit.
 */
export function deviceLimit(
  attached: AttachedDevices,
  limits: Settings['device_limit'],
  device?: DeviceInQuestion,
): DeviceLimit {
  const { mobile = 0, tablet = 0, desktop = 0, unknown = 0 } = attached;
  const counts = { overall: mobile + tablet + desktop + unknown, mobile, tablet, desktop };
  const joins = device !== undefined && !device.isAttached;
  const isExceeded = (name: keyof typeof counts): boolean => {
    const limit = limits[name];
    const more = joins && (name === 'overall' || name === device.kind) ? 1 : 0;
    return limit !== null && counts[name] + more > limit;
  };
  return { is_exceeded: (['overall', 'mobile', 'tablet', 'desktop'] as const).some(isExceeded), ...counts };
}
