import { z } from 'zod';

const isoDate = z.iso.date();

const isoTimestamp = z.iso.datetime({ offset: true });

/** Times from 1970 to 9999 can be represented in every database, driver and text format. */
const earliest = Date.UTC(1970, 0, 1);

const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What a date or timestamp must be, after "must be". */
export const momentForm = 'a date (2026-01-31) or a timestamp with a time zone (2026-01-31T09:30:00Z)';

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

/** Returns whether a period that is given by its ends is not reversed. */
export function isPeriod(from: string | undefined, to: string | undefined): boolean {
  return from === undefined || to === undefined || startOfPeriod(from) <= endOfPeriod(to);
}
