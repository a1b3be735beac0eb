import { noCounts, slotOf, startOf } from '../../service/dist/testing.js';

const hourMs = 3_600_000;

/** Counts attempts as the service does, for what its rules about failures read. Distinct users are counted exactly. */
export function createVelocity() {
  const subjects = new Map();
  const keysOf = ({ user, place, shown }) => ({
    user: `user ${user}`,
    device: `device ${shown.recognisable}`,
    address: `address ${place.address}`,
    network: `network ${place.network}`,
    asn: `asn ${place.asn}`,
  });
  const sumSince = (slots, since) => {
    const failedUsers = new Set();
    let evaluations = 0;
    let failures = 0;
    for (const slot of slots) {
      if (slot.start < since) continue;
      evaluations += slot.evaluations;
      failures += slot.failures;
      for (const user of slot.failedUsers) failedUsers.add(user);
    }
    return { ...noCounts.day, evaluations, failures, failedUsers: failedUsers.size };
  };
  return {
    /** Returns the counts before an attempt: of a user in an hour and a day, of the others in a day. */
    countsOf(attempt) {
      const now = new Date(attempt.at);
      return Object.fromEntries(
        Object.entries(keysOf(attempt)).map(([kind, key]) => {
          const slots = subjects.get(key) ?? [];
          const hour = kind === 'user' ? sumSince(slots, startOf('hour', now).getTime()) : noCounts.hour;
          return [kind, { ...noCounts, hour, day: sumSince(slots, startOf('day', now).getTime()) }];
        }),
      );
    },
    add(attempt) {
      const now = new Date(attempt.at);
      const dayStart = startOf('day', now).getTime();
      for (const [kind, key] of Object.entries(keysOf(attempt))) {
        // Only the hour of a user needs slots of five minutes. A day consists of whole hours.
        const start = kind === 'user' ? slotOf(now).getTime() : Math.floor(attempt.at / hourMs) * hourMs;
        const slots = (subjects.get(key) ?? []).filter((slot) => slot.start >= dayStart);
        subjects.set(key, slots);
        const known = slots.find((each) => each.start === start);
        const slot = known ?? { start, evaluations: 0, failures: 0, failedUsers: new Set() };
        if (!known) slots.push(slot);
        slot.evaluations++;
        if (attempt.outcome !== 'failed') continue;
        slot.failures++;
        slot.failedUsers.add(attempt.user);
      }
    },
  };
}
