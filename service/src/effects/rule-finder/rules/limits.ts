/** Number of days whose evaluations are searched. */
export const searchedDays = 30;

/** Most labelled evaluations that a search reads, the newest first. They bound its memory. */
export const maxLabelled = { fraud: 30_000, legitimate: 100_000 } as const;

/** Most conditions that are combined, and most evaluations with which the share of all is counted. */
export const maxConditions = 256;
export const maxCounted = 1_000_000;

/** Most keys of the metadata that are searched. */
export const maxMetadataKeys = 20;

/** Limits of a target, in per cent. */
export const targetLimits = { caught: { min: 1, max: 99 }, honest: { min: 0.01, max: 50 } } as const;
