import type { ParsedFingerprint } from 'whorl/fingerprint';
import type { DeviceInfo, DeviceKind, DeviceLimit, DeviceStatus, Verdict } from 'whorl/wire';
import type { Settings } from '../../projects/rules/settings.js';

/** Returns the device description from a fingerprint's descriptor; everything is unknown for text in another format. */
export function deviceInfo(parsed: ParsedFingerprint | undefined): DeviceInfo {
  if (!parsed) return { kind: 'unknown', os: 'unknown', browser: 'unknown', label: 'Unknown device' };
  const { kind, os, browser, browserVersion } = parsed.descriptor;
  const version = browserVersion > 0 ? browserVersion : undefined;
  const program = browser === 'unknown' ? 'Unknown browser' : [browser, version].filter(Boolean).join(' ');
  return {
    kind,
    os,
    browser,
    ...(version === undefined ? {} : { browser_version: version }),
    label: os === 'unknown' ? program : `${program} on ${os}`,
  };
}

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

/** Number of a user's attached devices, by kind. */
export type AttachedDevices = Readonly<Partial<Record<DeviceKind, number>>>;

/** Device that a challenge or an attachment is about. */
export interface JoiningDevice {
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
  device?: JoiningDevice,
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
