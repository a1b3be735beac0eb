import type { DeviceEvent, DeviceStatus, EndCause, UserStatus } from 'whorl/wire';

/** A device as it stands, as far as its page is concerned. */
export interface WatchedDevice {
  readonly status: DeviceStatus;
  /** When it was last detached or blocked, or its user suspended; this stays when it comes back. */
  readonly ended_at: Date | null;
  readonly end_cause: EndCause | null;
  readonly user_status: UserStatus;
  /** Its open challenges, by their ids, which rise with time. */
  readonly challenges: readonly string[];
}

/** The page that waits for news, by its token. */
export interface WaitingPage {
  readonly device: string;
  /** To the second. */
  readonly issuedAt: Date;
}

/**
 * What a page has to hear, the oldest first: the challenges after the one that it heard of last, or, as the last thing of
 * all, that its device is detached.
 *
 * @param state undefined for a device that was erased with its user.
 * @param after the id of the newest that the page knows. Default: none.
 */
export function newsOf(state: WatchedDevice | undefined, page: WaitingPage, after = ''): DeviceEvent[] {
  const { device } = page;
  const end = endOf(state, page);
  if (end) return [{ id: 'detached', type: 'detached', data: { device_id: device, ...end } }];
  const challenges = state?.challenges.filter((id) => id > after) ?? [];
  return challenges.map((id) => ({ id, type: 'challenge', data: { device_id: device, challenge_id: id } }));
}

/**
 * Whether and by what the device ended for this page. A token that was made after the end is of a login that came after
 * it, unless the device is blocked, or gone, or its user is suspended.
 */
function endOf(
  state: WatchedDevice | undefined,
  { issuedAt }: WaitingPage,
): { cause: EndCause; detached_at?: string } | undefined {
  if (!state) return { cause: 'delete' };
  const { status, ended_at, end_cause, user_status } = state;
  const bar = status === 'blocked' ? 'block' : user_status === 'suspended' ? 'suspend' : undefined;
  // Within the second of the token, only how it stands tells which came first.
  const fromMs = issuedAt.getTime() + (status === 'detached' ? 0 : 1000);
  const hasEnded = ended_at !== null && ended_at.getTime() >= fromMs;
  if (!bar && !hasEnded) return undefined;
  return {
    cause: bar ?? end_cause ?? 'detach',
    ...(ended_at && { detached_at: ended_at.toISOString() }),
  };
}
