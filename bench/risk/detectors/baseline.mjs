export const title = 'strange failures against the project’s own baseline';

const hourMs = 3_600_000;
/** A campaign has at least this many times the failures that are usual. */
const ratio = 4;
/** Higher: fewer false alarms, and later alarms. In units of the logarithm of the likelihood ratio. */
const limit = 14;
const halfLifeHours = 14 * 24;
const newHalfLifeHours = 48;
/** Expected strange failures an hour of a project without history. */
const leastPerHour = 0.05;
const guesses = 10;

/**
 * A failure is strange if nobody has that name, or if the user succeeded before, but never with this device nor at this
 * address.
 * Honest people have few of these, and campaigns nearly only these, however many addresses they use. A cumulative sum
 * compares them with the project's usual rate; a person counts once an hour. More than ten failures against one user in a day are guessing.
 */
export function createDetector() {
  const users = new Map();
  const counted = new Map();
  const failures = new Map();
  let perHour = leastPerHour;
  let sum = 0;
  let last;
  let elapsed = 0;
  return {
    observe(attempt) {
      const { at, user, place, shown, outcome, userExists } = attempt;
      if (outcome === 'succeeded') {
        const own = users.get(user) ?? new Set();
        users.set(user, own.add(place.address).add(shown.recognisable));
        return undefined;
      }
      const own = users.get(user);
      const isUnlike = own !== undefined && !own.has(place.address) && !own.has(shown.recognisable);
      const isStrange = !userExists || isUnlike;
      const recent = (failures.get(user) ?? []).filter((time) => at - time < 24 * hourMs);
      failures.set(user, [...recent, at]);
      if (recent.length >= guesses && (isStrange || !own)) return 'guessing';
      if (!isStrange || at - (counted.get(user) ?? Number.NEGATIVE_INFINITY) < hourMs) return undefined;
      counted.set(user, at);
      const hours = last === undefined ? 1 : (at - last) / hourMs;
      last = at;
      const expected = perHour;
      // Weights of failures halve in two weeks, and faster while the project is new. A campaign teaches at most `ratio`
      // times the usual rate, so that it does not become usual, and a wrong rate still adapts.
      elapsed += hours;
      const halfLife = Math.min(halfLifeHours, Math.max(newHalfLifeHours, elapsed / 2));
      const kept = 2 ** (-hours / halfLife);
      const learned = Math.min(1, ratio * expected * hours);
      perHour = Math.max(leastPerHour, perHour * kept + (Math.LN2 / halfLife) * learned);
      sum = Math.min(limit * 1.5, Math.max(0, sum + Math.log(ratio) - (ratio - 1) * expected * hours));
      return sum >= limit ? 'stuffing' : undefined;
    },
  };
}
