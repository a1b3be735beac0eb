import { z } from '@hono/zod-openapi';
import type {
  AccessHistoryQuery,
  LegacyDevicesQuery,
  ListChallengesQuery,
  PageQuery,
  UserDevicesQuery,
} from 'whorl/wire';
import { endOfPeriod, isMoment, startOfPeriod } from './period.js';
import { userId, uuid } from './text.js';
import { deviceStatus } from './vocabulary.js';
import { wireSchema } from './wire-schema.js';

/** A query after its defaults were put in. */
type Complete<Query extends PageQuery> = Query & { page: number; limit: number };

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

const flag = () =>
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

const pageFields = {
  // So far that no database counts beyond it.
  page: wholeNumber(1, 1_000_000_000, 1).openapi({ description: 'The page of the query.' }),
  limit: wholeNumber(1, 100, 10).openapi({ description: 'The number of results per page.' }),
};

const periodFields = {
  ...pageFields,
  start_date: moment('From when on, compared with `createdAt`. A date means its first moment, in UTC.'),
  end_date: moment('Until when, inclusive, compared with `createdAt`. A date means the whole day, in UTC.'),
};

function inOrder({
  start_date,
  end_date,
}: {
  start_date?: string | undefined;
  end_date?: string | undefined;
}): boolean {
  if (start_date === undefined || end_date === undefined) return true;
  return startOfPeriod(start_date) <= endOfPeriod(end_date);
}
const wrongOrder = { path: ['end_date'], message: 'must not be before start_date' };

export const listChallengesQuery = wireSchema<Complete<ListChallengesQuery>>()(
  'ListChallengesQuery',
  z.object(periodFields).refine(inOrder, wrongOrder),
  { page: 1, limit: 10 },
);

export const accessHistoryQuery = wireSchema<Complete<AccessHistoryQuery>>()(
  'AccessHistoryQuery',
  z
    .object({
      ...periodFields,
      user: userId().optional(),
      device: uuid().optional().openapi({ description: 'The id of a device.' }),
    })
    .refine(inOrder, wrongOrder),
  { page: 1, limit: 10 },
);

export const userDevicesQuery = wireSchema<Complete<UserDevicesQuery>>()(
  'UserDevicesQuery',
  z.object({ ...pageFields, status: deviceStatus().optional() }),
  { page: 1, limit: 10 },
);

export const legacyDevicesQuery = wireSchema<Required<LegacyDevicesQuery>>()(
  'LegacyDevicesQuery',
  z.object({
    whitelisted: flag().openapi({ description: 'Include whitelisted devices in the response.' }),
    dev: flag().openapi({ description: 'Query devices in development mode only.' }),
  }),
  { whitelisted: false, dev: false },
);
