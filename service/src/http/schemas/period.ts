import { z } from '@hono/zod-openapi';

const date = z.iso.date();
const timestamp = z.iso.datetime({ offset: true });
/** What every database, driver and text form of a time can hold. */
const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether a text is a date or a timestamp with its zone, of the years 1970 to 9999. */
export function isMoment(value: string): boolean {
  if (!date.safeParse(value).success && !timestamp.safeParse(value).success) return false;
  const time = Date.parse(value);
  return time >= earliest && time <= latest;
}

/** The first moment that is meant. */
export function startOfPeriod(moment: string): Date {
  return new Date(moment);
}

/** The last moment that is meant: of a date, the end of its day. */
export function endOfPeriod(moment: string): Date {
  return new Date(date.safeParse(moment).success ? `${moment}T23:59:59.999Z` : moment);
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
