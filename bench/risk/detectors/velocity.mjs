import { dayMs } from '../../../service/dist/testing.js';

export const title = 'fixed limit: 30 users a day at one address, 10 of one device';

/** The limits of the service's `velocity` reason, applied to all attempts. */
export function createDetector() {
  const byAddress = new Map();
  const byDevice = new Map();
  const over = (map, key, { user, at }, limit) => {
    const users = map.get(key) ?? new Map();
    map.set(key, users);
    users.set(user, at);
    if (users.size <= limit) return false;
    for (const [other, time] of users) if (at - time > dayMs) users.delete(other);
    return users.size > limit;
  };
  return {
    observe(attempt) {
      if (over(byAddress, attempt.place.address, attempt, 30)) return 'address';
      return over(byDevice, attempt.shown.fingerprint, attempt, 10) ? 'device' : undefined;
    },
  };
}
