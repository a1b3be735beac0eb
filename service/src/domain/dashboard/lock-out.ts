/** How many wrong passwords in a row cost nothing, and how the wait grows after them. */
export interface Tolerance {
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/** An account's waits end soon, since others can cause them; from one address many people may come. */
export const tolerances = {
  account: { free: 4, firstSeconds: 30, longestSeconds: 15 * 60 },
  address: { free: 19, firstSeconds: 30, longestSeconds: 60 * 60 },
} as const satisfies Record<string, Tolerance>;

/** After so long without another, wrong passwords are forgotten. */
export const forgottenAfterHours = 24;

/** For how many seconds no password is looked at after so many wrong ones: it doubles with each. */
export function waitAfter(failures: number, { free, firstSeconds, longestSeconds }: Tolerance): number {
  if (failures <= free) return 0;
  return Math.min(longestSeconds, firstSeconds * 2 ** (failures - free - 1));
}
