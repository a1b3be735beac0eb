import type { DeviceKind, DeviceLimit } from 'whorl/wire';
import type { Settings } from '../../projects/rules/settings.js';

/** How many devices of a user are attached, of each kind. */
export type AttachedDevices = Readonly<Partial<Record<DeviceKind, number>>>;

/** The device that a challenge or an attachment is about. */
export interface DeviceInQuestion {
  readonly kind: DeviceKind;
  /** Whether it is among the attached ones already. */
  readonly isAttached: boolean;
}

/**
 * What a challenge shows of the limits: how many devices of the user are attached, and whether a limit is exceeded with
 * the device in question among them. A device of unknown kind counts overall only.
 */
export function deviceLimit(
  attached: AttachedDevices,
  limits: Settings['device_limit'],
  device?: DeviceInQuestion,
): DeviceLimit {
  const { mobile = 0, tablet = 0, desktop = 0, unknown = 0 } = attached;
  const counts = { overall: mobile + tablet + desktop + unknown, mobile, tablet, desktop };
  const joins = device !== undefined && !device.isAttached;
  const isOver = (name: keyof typeof counts): boolean => {
    const limit = limits[name];
    const more = joins && (name === 'overall' || name === device.kind) ? 1 : 0;
    return limit !== null && counts[name] + more > limit;
  };
  return { is_exceeded: (['overall', 'mobile', 'tablet', 'desktop'] as const).some(isOver), ...counts };
}
