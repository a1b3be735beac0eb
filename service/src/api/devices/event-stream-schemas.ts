import { z } from '@hono/zod-openapi';
import type { DeviceNews } from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { timestamp, uuid } from '../../http/schemas/fields.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

const detached = z.object({
  id: z.string(),
  type: z.literal('detached'),
  data: z.object({
    device_id: uuid(),
    cause: z.enum(['detach', 'kick', 'auto_detach', 'block', 'suspend', 'delete']),
    detached_at: timestamp().optional().openapi({ description: 'Absent if the user was deleted.' }),
  }),
});

const challenge = z.object({
  id: z.string(),
  type: z.literal('challenge'),
  data: z.object({ device_id: uuid(), challenge_id: uuid() }),
});

export const deviceNews = wireSchema<DeviceNews>()(
  'DeviceNews',
  z.object({
    data: z.array(z.union([detached, challenge])),
    device_token: z.string().optional().openapi({
      description: 'A new token, if half of the lifetime of the current one has passed.',
    }),
  }),
  {
    data: [
      {
        id: 'detached',
        type: 'detached',
        data: { device_id: example.device, cause: 'kick', detached_at: example.now },
      },
    ],
  },
);
