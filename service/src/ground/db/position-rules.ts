import { validate as isUuid } from 'uuid';

/**
 * A position in a list sorted from newest to oldest: after the row with this time and ID. Pages of a list continue from a
 * position, so that a late page costs as little as the first and no row appears twice.
 */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Sorts after all other IDs. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Position before all rows. */
export const start: Position = {
  at: new Date('9999-12-31T23:59:59.999Z'),
  id: lastId,
};

/** Returns a position as text for a URL: milliseconds, a dot, the ID. */
export function printPosition({ at, id }: Position): string {
  return `${at.getTime()}.${id}`;
}

/** Reads a position. Returns undefined if the text is invalid. */
export function parsePosition(text: string): Position | undefined {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  if (time === undefined || id === undefined || !isUuid(id)) return undefined;
  const at = new Date(Number(time));
  return at < start.at ? { at, id } : undefined;
}

/** Reads a position from a URL. Returns the start if the text is invalid. */
export function readPosition(text: string | null): Position {
  return parsePosition(text ?? '') ?? start;
}

/** Page of a list, and the start of the next page, if there is one. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly next?: Position | undefined;
}

/** Rows per page. Queries request one more row to find out whether there is a next page. */
export const partSize = 25;

/** Returns a page of at most `size` of the rows found. */
export function partOf<Row>(found: readonly Row[], positionOf: (row: Row) => Position, size = partSize): Part<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: last && found.length > size ? positionOf(last) : undefined };
}

/** Page of a list that is searched backwards in time. */
export interface ScannedPart<Row> extends Part<Row> {
  /** When the search stopped without examining older rows. Undefined if it finished. */
  readonly searchedBackTo?: Date | undefined;
}

/** Returns the rows of a scan as a page. The next page begins after the last row, or where the scan stopped. */
export function scannedPart<Row>(
  { rows, stoppedAt }: { readonly rows: readonly Row[]; readonly stoppedAt?: Position | undefined },
  positionOf: (row: Row) => Position,
): ScannedPart<Row> {
  const part = partOf(rows, positionOf);
  return part.next || !stoppedAt ? part : { ...part, next: stoppedAt, searchedBackTo: stoppedAt.at };
}

/** Returns the position of a row in a list that is sorted by creation. */
export function positionOfCreation({ id, created_at }: { readonly id: string; readonly created_at: Date }): Position {
  return { at: created_at, id };
}
