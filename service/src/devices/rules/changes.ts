import type { DetachCause, DeviceStatus, UpdateDeviceRequest } from 'whorl/wire';

/** A device as it stands, as far as these rules go. */
export interface StandingDevice {
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
  readonly auto_detached: boolean;
}

/** What becomes of it. */
export interface DeviceChange {
  readonly status?: DeviceStatus;
  readonly trusted?: boolean;
  readonly whitelisted?: boolean;
  readonly auto_detached?: boolean;
  readonly detached_at?: Date | null;
}

const attached = { status: 'attached', auto_detached: false, detached_at: null } as const;

/**
 * What detaching makes of a device; undefined where nothing is left to do. Detached by the customer or kicked by the
 * user, its trust is gone; detached for idleness, it keeps it. A blocked device stays blocked: only an update lifts a
 * block.
 */
export function afterDetach(device: StandingDevice, cause: DetachCause, now: Date): DeviceChange | undefined {
  if (device.status === 'blocked') return undefined;
  if (cause === 'auto_detach') {
    return device.status === 'attached' ? { status: 'detached', auto_detached: true, detached_at: now } : undefined;
  }
  const isDone = device.status === 'detached' && !device.auto_detached && !device.trusted && !device.whitelisted;
  if (isDone) return undefined;
  return { status: 'detached', auto_detached: false, detached_at: now, trusted: false, whitelisted: false };
}

/** What a completed challenge makes of its device; undefined for one that was blocked in the meantime. */
export function afterCompletion(device: StandingDevice): DeviceChange | undefined {
  return device.status === 'blocked' ? undefined : { ...attached, trusted: true };
}

/** What the customer's update makes of a device. Blocking takes all trust; lifting the block does not bring it back. */
export function afterUpdate({ status, whitelisted }: UpdateDeviceRequest): DeviceChange {
  const blocked = { status: 'blocked', auto_detached: false, detached_at: null, trusted: false } as const;
  return {
    ...(status === 'attached' && attached),
    ...(whitelisted !== undefined && { whitelisted }),
    ...(status === 'blocked' && { ...blocked, whitelisted: false }),
  };
}
