import { validate as isUuid } from 'uuid';

/**
 * A place in a list that runs from the newest row to the oldest: behind the row of this time and id. Where a page of a
 * list goes on is told by it, so that a far page costs as little as the first, and no row comes twice.
 */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Before all rows. */
export const start: Position = {
  at: new Date('9999-12-31T23:59:59.999Z'),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** As it stands in an address: milliseconds, a dot, the id. */
export function printPosition({ at, id }: Position): string {
  return `${at.getTime()}.${id}`;
}

/** A position that somebody sent; the start where it is none. */
export function readPosition(text: string | null): Position {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text ?? '') ?? [];
  if (time === undefined || id === undefined || !isUuid(id)) return start;
  const at = new Date(Number(time));
  return at < start.at ? { at, id } : start;
}

/** A part of a list, and where the next part begins, if there is one. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly next?: Position | undefined;
}

/** How many rows a part has. A query asks for one more, which tells whether there is a next part. */
export const partSize = 25;

/** A part of up to `partSize` of the rows that were found. */
export function partOf<Row>(found: readonly Row[], positionOf: (row: Row) => Position, size = partSize): Part<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: last && found.length > size ? positionOf(last) : undefined };
}

/** A part of a list that was searched backwards in time. */
export interface ScannedPart<Row> extends Part<Row> {
  /** Where the search stopped for the time being, with what is older not looked at; undefined where it need not have. */
  readonly searchedBackTo?: Date | undefined;
}

/** The rows of a scan as a part; the next one begins behind its last row, or where looking stopped. */
export function scannedPart<Row extends { readonly id: string; readonly created_at: Date }>({
  rows,
  stoppedAt,
}: {
  readonly rows: readonly Row[];
  readonly stoppedAt?: Position | undefined;
}): ScannedPart<Row> {
  const part = partOf(rows, ({ id, created_at }): Position => ({ at: created_at, id }));
  return part.next || !stoppedAt ? part : { ...part, next: stoppedAt, searchedBackTo: stoppedAt.at };
}
