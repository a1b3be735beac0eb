/** Which page of a list, counted from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** A span of time; both ends belong to it. */
export interface Period {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

export interface PageOfRows<Row> {
  readonly rows: Row[];
  /** How many match in all. */
  readonly total: number;
}

export function offsetOf({ page, limit }: PageRequest): number {
  return (page - 1) * limit;
}
