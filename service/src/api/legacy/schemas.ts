import { z } from '@hono/zod-openapi';
import type { Access, AccessHistoryQuery, LegacyDevicesQuery, Page } from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { externalUser, timestamp, userId, uuid } from '../../http/schemas/fields.js';
import { id } from '../../http/schemas/params.js';
import { type Complete, flag, inOrder, periodFields, wrongOrder } from '../../http/schemas/query.js';
import { emptyPage, pageResponseFields } from '../../http/schemas/responses.js';
import { outcome, reason, verdict } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { device } from '../devices/schemas.js';

export const deviceList = z.array(device);

export const access = wireSchema<Access>()(
  'Access',
  z.object({
    _id: uuid(),
    user: uuid()
      .optional()
      .openapi({ description: 'The `_id` of the user; absent if the user was refused before being stored.' }),
    external_user: externalUser().optional(),
    device: uuid().optional(),
    action: z.string(),
    verdict: verdict(),
    reasons: z.array(reason()),
    ip: z.string().optional(),
    createdAt: timestamp(),
  }),
  {
    _id: example.access,
    user: example.userId,
    external_user: example.user,
    device: example.device,
    action: 'login',
    verdict: 'allow',
    reasons: [],
    ip: example.ip,
    createdAt: example.now,
  },
);

export const accessPage = wireSchema<Page<Access>>()(
  'AccessPage',
  z.object({ data: z.array(access), ...pageResponseFields }),
  emptyPage,
);

export const accessHistoryQuery = wireSchema<Complete<AccessHistoryQuery>>()(
  'AccessHistoryQuery',
  z
    .object({
      ...periodFields,
      user: userId().optional(),
      device: uuid().optional().openapi({ description: 'ID of a device.' }),
      outcome: outcome()
        .optional()
        .openapi({ description: '`failed` returns failed attempts instead. Default: `succeeded`.' }),
    })
    .refine(inOrder, wrongOrder),
  { page: 1, limit: 10 },
);

export const legacyDevicesQuery = wireSchema<Required<LegacyDevicesQuery>>()(
  'LegacyDevicesQuery',
  z.object({
    whitelisted: flag().openapi({ description: 'Include whitelisted devices in the response.' }),
    dev: flag().openapi({ description: 'Return only devices in development mode.' }),
  }),
  { whitelisted: false, dev: false },
);

export const legacyDeviceId = z.object({ device: id('device') });
