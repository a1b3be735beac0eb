/** How many revocations the user had when this device, and the user as a whole, were last revoked. */
export interface Revocations {
  /** Number when the device was last detached, kicked or blocked; 0 if never. */
  readonly ofDevice: number;
  /** Number when the user was last suspended; 0 if never. */
  readonly ofUser: number;
  /** Whether the device is blocked or the user is suspended. */
  readonly isBlocked: boolean;
}

/**
 * Returns whether a verdict from when the user had `count` revocations is no longer valid, because the device or the
 * user has since been revoked. Counters are used because, unlike times, they cannot be out of order.
 */
export function isSuperseded(count: number, { ofDevice, ofUser, isBlocked }: Revocations): boolean {
  return isBlocked || ofDevice > count || ofUser > count;
}
