/** How many wrong passwords in a row cost nothing, and how the wait grows after them. */
export interface Tolerance {
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/**
 * What wrong passwords are counted by. A source is a network (IPv4 address, IPv6 /64). Counting by account and source
 * together keeps what strangers do elsewhere from the right person; the other two bound who tries one account from many
 * sources, and many accounts from one.
 */
export const tolerances = {
  /** One account from one source. */
  pair: { free: 4, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** One account from all sources that it was not signed in to from lately. */
  account: { free: 49, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** All accounts from one source: many people may come from one. */
  source: { free: 19, firstSeconds: 30, longestSeconds: 60 * 60 },
} as const satisfies Record<string, Tolerance>;

/** After so long without another, wrong passwords are forgotten. */
export const forgottenAfterHours = 24;

/** How long a source is known after an account was signed in to from there. */
export const knownSourceDays = 90;

/** Returns for how many seconds no password is looked at after so many wrong ones: it doubles with each. */
export function waitAfter(failures: number, { free, firstSeconds, longestSeconds }: Tolerance): number {
  if (failures <= free) return 0;
  return Math.min(longestSeconds, firstSeconds * 2 ** (failures - free - 1));
}
