/** How often something of a user was revoked, and at which count it was this device, or the user as a whole. */
export interface Revocations {
  /** Of the user, when the device was detached, kicked or blocked last; 0: never. */
  readonly ofDevice: number;
  /** Of the user, when it was suspended last; 0: never. */
  readonly ofUser: number;
  /** Whether the device is blocked, or the user suspended. */
  readonly isBarred: boolean;
}

/**
 * Whether what was judged when the user had `count` revocations no longer holds, because the device or the user was
 * revoked since. Counts, unlike times, cannot be out of order.
 */
export function isSuperseded(count: number, { ofDevice, ofUser, isBarred }: Revocations): boolean {
  return isBarred || ofDevice > count || ofUser > count;
}
