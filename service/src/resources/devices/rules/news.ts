import type { DeviceEvent, DeviceStatus, EndCause, UserStatus } from 'whorl/wire';

/** Current state of a device, as needed by its page. */
export interface WatchedDevice {
  readonly status: DeviceStatus;
  /** When it was last detached or blocked, or its user suspended. Kept when the device is attached again. */
  readonly ended_at: Date | null;
  readonly end_cause: EndCause | null;
  readonly user_status: UserStatus;
  /** IDs of its open challenges, in order of time. */
  readonly challenges: readonly string[];
}

/** Page that waits for events, identified by its token. */
export interface WaitingPage {
  readonly device: string;
  /** Time of issue, with a precision of one second. */
  readonly issuedAt: Date;
}

/**
 * Returns the events that a page has not received, the oldest first: challenges after the last one it received or, as
 * its final event, that its device was detached.
 *
 * @param state Undefined if the device was erased with its user.
 * @param after ID of the newest event that the page received. Default: none.
 */
export function newsOf(state: WatchedDevice | undefined, page: WaitingPage, after = ''): DeviceEvent[] {
  const { device } = page;
  const end = endOf(state, page);
  if (end) return [{ id: 'detached', type: 'detached', data: { device_id: device, ...end } }];
  const challenges = state?.challenges.filter((id) => id > after) ?? [];
  return challenges.map((id) => ({ id, type: 'challenge', data: { device_id: device, challenge_id: id } }));
}

/**
 * Returns why and when the device was signed out for this page; undefined if it was not. A token issued afterwards
 * belongs to a later login, unless the device is blocked or deleted, or its user is suspended.
 */
function endOf(
  state: WatchedDevice | undefined,
  { issuedAt }: WaitingPage,
): { cause: EndCause; detached_at?: string } | undefined {
  if (!state) return { cause: 'delete' };
  const { status, ended_at, end_cause, user_status } = state;
  const blockCause = status === 'blocked' ? 'block' : user_status === 'suspended' ? 'suspend' : undefined;
  // Within the second in which the token was issued, only the current status shows which came first.
  const fromMs = issuedAt.getTime() + (status === 'detached' ? 0 : 1000);
  const hasEnded = ended_at !== null && ended_at.getTime() >= fromMs;
  if (!blockCause && !hasEnded) return undefined;
  return {
    cause: blockCause ?? end_cause ?? 'detach',
    ...(ended_at && { detached_at: ended_at.toISOString() }),
  };
}
