export const title = 'exact match of address and user agent';

/** Counts how many of address and user agent are new for the user. Both must be known to pass at threshold 1. */
export function createScorer() {
  const users = new Map();
  const known = (user) => {
    if (!users.has(user)) users.set(user, { addresses: new Set(), agents: new Set() });
    return users.get(user);
  };
  return {
    score({ user, place, shown }) {
      const { addresses, agents } = known(user);
      return (addresses.has(place.address) ? 0 : 1) + (agents.has(shown.userAgent) ? 0 : 1);
    },
    learn({ user, place, shown }) {
      const { addresses, agents } = known(user);
      addresses.add(place.address);
      agents.add(shown.userAgent);
    },
  };
}
