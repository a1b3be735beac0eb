import { z } from '@hono/zod-openapi';
import type { PageQuery } from 'whorl/wire';

const isoDate = z.iso.date();

const isoTimestamp = z.iso.datetime({ offset: true });

/** What every database, driver and text form of a time can hold. */
const earliest = Date.UTC(1970, 0, 1);

const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether a text is a date or a timestamp with its zone, of the years 1970 to 9999. */
export function isMoment(value: string): boolean {
  if (!isoDate.safeParse(value).success && !isoTimestamp.safeParse(value).success) return false;
  const time = Date.parse(value);
  return time >= earliest && time <= latest;
}

/** The first moment that is meant. */
export function startOfPeriod(moment: string): Date {
  return new Date(moment);
}

/** The last moment that is meant: of a date, the end of its day. */
export function endOfPeriod(moment: string): Date {
  return new Date(isoDate.safeParse(moment).success ? `${moment}T23:59:59.999Z` : moment);
}

/** A list's query as operations take it. */
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

/** A query after its defaults were put in. */
export type Complete<Query extends PageQuery> = Query & { page: number; limit: number };

/** A whole number, written in digits alone. */
const wholeNumber = (least: number, most: number, usual: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, error)
    .transform(Number)
    .pipe(z.number().min(least, error).max(most, error))
    .default(usual)
    .openapi({ type: 'integer', minimum: least, maximum: most });
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
    .refine(isMoment, 'must be a date (2026-01-31) or a timestamp with its zone (2026-01-31T09:30:00Z)')
    .optional()
    .openapi({ description, example: '2026-01-31' });

export const pageQueryFields = {
  // So far that no database counts beyond it.
  page: wholeNumber(1, 1_000_000_000, 1).openapi({ description: 'The page of the query.' }),
  limit: wholeNumber(1, 100, 10).openapi({ description: 'The number of results per page.' }),
};

export const periodFields = {
  ...pageQueryFields,
  start_date: moment('From when on, compared with `createdAt`. A date means its first moment, in UTC.'),
  end_date: moment('Until when, inclusive, compared with `createdAt`. A date means the whole day, in UTC.'),
};

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
