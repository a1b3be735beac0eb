import { z } from '@hono/zod-openapi';
import type { CursorQuery, PageQuery } from 'whorl/wire';
import { parsePosition } from '../../ground/db/position-rules.js';

const isoDate = z.iso.date();

const isoTimestamp = z.iso.datetime({ offset: true });

/** Times from 1970 to 9999 can be represented in every database, driver and text format. */
const earliest = Date.UTC(1970, 0, 1);

const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns whether a text is a date, or a timestamp with a time zone, from 1970 to 9999. */
export function isDateOrTimestamp(value: string): boolean {
  if (!isoDate.safeParse(value).success && !isoTimestamp.safeParse(value).success) return false;
  const time = Date.parse(value);
  return time >= earliest && time <= latest;
}

/** Returns the start of a date or timestamp. */
export function startOfPeriod(moment: string): Date {
  return new Date(moment);
}

/** Returns the end of a date or timestamp: for a date, the end of the day. */
export function endOfPeriod(moment: string): Date {
  return new Date(isoDate.safeParse(moment).success ? `${moment}T23:59:59.999Z` : moment);
}

/** Converts the date parameters of a query to `start` and `end`. */
export function withPeriod<Query extends { start_date?: string | undefined; end_date?: string | undefined }>({
  start_date,
  end_date,
  ...query
}: Query) {
  return {
    ...query,
    ...(start_date === undefined ? {} : { start: startOfPeriod(start_date) }),
    ...(end_date === undefined ? {} : { end: endOfPeriod(end_date) }),
  };
}

/** Query with its defaults applied. */
export type Complete<Query extends PageQuery> = Query & { page: number; limit: number };

export type CompleteCursor<Query extends CursorQuery> = Query & { limit: number };

/** Schema of an integer in decimal digits. */
const wholeNumber = (min: number, max: number, defaultValue: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
    .default(defaultValue)
    .openapi({ type: 'integer', minimum: min, maximum: max });
};

export const flag = () =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .default(false)
    .openapi({ type: 'boolean' });

const moment = (description: string) =>
  z
    .string()
    .refine(isDateOrTimestamp, 'must be a date (2026-01-31) or a timestamp with a time zone (2026-01-31T09:30:00Z)')
    .optional()
    .openapi({ description, example: '2026-01-31' });

export const pageQueryFields = {
  // The limit keeps offsets within the range of the database.
  page: wholeNumber(1, 1_000_000_000, 1).openapi({ description: 'Page number, starting at 1.' }),
  limit: wholeNumber(1, 100, 10).openapi({ description: 'Number of results per page.' }),
};

/** Position in a list, as an opaque text. */
export const cursor = () =>
  z
    .string()
    .refine((text) => parsePosition(text) !== undefined, 'must be the `next_cursor` of a page')
    .optional()
    .openapi({ description: '`next_cursor` of the previous page. Default: the newest.' });

export const momentFields = {
  start_date: moment('Earliest `createdAt`. A date means the start of the day, in UTC.'),
  end_date: moment('Latest `createdAt`, inclusive. A date means the end of the day, in UTC.'),
};

export const periodFields = { ...pageQueryFields, ...momentFields };

export function inOrder({
  start_date,
  end_date,
}: {
  start_date?: string | undefined;
  end_date?: string | undefined;
}): boolean {
  if (start_date === undefined || end_date === undefined) return true;
  return startOfPeriod(start_date) <= endOfPeriod(end_date);
}

export const wrongOrder = { path: ['end_date'], message: 'must not be before start_date' };
