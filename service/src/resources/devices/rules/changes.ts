import type { DetachCause, DeviceStatus, UpdateDeviceRequest } from 'whorl/wire';

/** Current state of a device, as needed by these rules. */
export interface CurrentDevice {
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
  readonly auto_detached: boolean;
}

/** Changes to a device. */
export interface DeviceChange {
  readonly status?: DeviceStatus;
  readonly trusted?: boolean;
  readonly whitelisted?: boolean;
  readonly auto_detached?: boolean;
  readonly detached_at?: Date | null;
  readonly disowned_at?: Date | null;
  readonly name?: string | null;
}

const attached = { status: 'attached', auto_detached: false, detached_at: null } as const;

/**
 * Returns the changes for detaching a device; undefined if there are none. A device that the customer detaches or the
 * user signs out loses its trust; one detached for inactivity keeps it. A blocked device stays blocked until it is
 * updated.
 */
export function afterDetach(device: CurrentDevice, cause: DetachCause, now: Date): DeviceChange | undefined {
  if (device.status === 'blocked') return undefined;
  if (cause === 'auto_detach') {
    return device.status === 'attached' ? { status: 'detached', auto_detached: true, detached_at: now } : undefined;
  }
  const isDone = device.status === 'detached' && !device.auto_detached && !device.trusted && !device.whitelisted;
  if (isDone) return undefined;
  return { status: 'detached', auto_detached: false, detached_at: now, trusted: false, whitelisted: false };
}

/** Returns the changes after a completed challenge; undefined if the device was blocked in the meantime. */
export function afterCompletion(device: CurrentDevice): DeviceChange | undefined {
  return device.status === 'blocked' ? undefined : { ...attached, trusted: true };
}

/** Returns the changes of a customer's update. Blocking removes all trust, and unblocking does not restore it. */
export function afterUpdate({ status, whitelisted, name }: UpdateDeviceRequest): DeviceChange {
  const blocked = { status: 'blocked', auto_detached: false, detached_at: null, trusted: false } as const;
  return {
    ...(status === 'attached' && { ...attached, disowned_at: null }),
    ...(name !== undefined && { name }),
    ...(whitelisted !== undefined && { whitelisted }),
    ...(status === 'blocked' && { ...blocked, whitelisted: false }),
  };
}
