/** PostgreSQL's types, by object id, that are read as numbers: bigint and numeric. Nothing we keep outgrows 2^53. */
export const numberTypes = [20, 1700] as const;
