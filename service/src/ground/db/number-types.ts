/** Object IDs of PostgreSQL types that are read as numbers: bigint and numeric. No stored value exceeds 2^53. */
export const numberTypes = [20, 1700] as const;
