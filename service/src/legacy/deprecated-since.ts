/** The deprecated endpoints were so from the first version on. */
export const deprecatedSince = new Date('2026-11-21T00:00:00Z');
