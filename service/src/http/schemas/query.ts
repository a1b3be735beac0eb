import { z } from '@hono/zod-openapi';
import type { CursorQuery, PageQuery } from 'whorl/wire';
import { parsePosition } from '../../ground/db/position-rules.js';
import { endOfPeriod, isDateOrTimestamp, isPeriod, momentForm, startOfPeriod } from '../../ground/moment-rules.js';

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
    .refine(isDateOrTimestamp, `must be ${momentForm}`)
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
  return isPeriod(start_date, end_date);
}

export const wrongOrder = { path: ['end_date'], message: 'must not be before start_date' };

interface SeenPeriod {
  seen_start_date?: string | undefined;
  seen_end_date?: string | undefined;
}

/** Returns whether the period in which somebody was last seen is not reversed. */
export function wereSeenInOrder({ seen_start_date, seen_end_date }: SeenPeriod): boolean {
  return isPeriod(seen_start_date, seen_end_date);
}

export const wrongSeenOrder = { path: ['seen_end_date'], message: 'must not be before seen_start_date' };
