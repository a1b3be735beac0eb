import { type Part, type Position, partOf } from './position-rules.js';
import type { Scan } from './scan-queries.js';

/** A part of a list that was searched backwards in time. */
export interface ScannedPart<Row> extends Part<Row> {
  /** Where the search stopped for the time being, with what is older not looked at; undefined where it need not have. */
  readonly searchedBackTo?: Date | undefined;
}

/** The rows of a scan as a part; the next one begins behind its last row, or where looking stopped. */
export function scannedPart<Row extends { readonly id: string; readonly created_at: Date }>({
  rows,
  stoppedAt,
}: Scan<Row>): ScannedPart<Row> {
  const part = partOf(rows, ({ id, created_at }): Position => ({ at: created_at, id }));
  return part.next || !stoppedAt ? part : { ...part, next: stoppedAt, searchedBackTo: stoppedAt.at };
}
