import { z } from '@hono/zod-openapi';
import type { UpdateUserRequest, UpdateUserResponse, User, UserSummary } from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { email, masked, metadata, phone, storedMetadata, timestamp, uuid } from '../../http/schemas/fields.js';
import { warnings } from '../../http/schemas/responses.js';
import { userStatus } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

/** All data about a user. Not described in detail, because fields are added often. */
export const userExport = z.record(z.string(), z.unknown()).openapi('UserExport');

export const updateUserRequest = wireSchema<UpdateUserRequest>()(
  'UpdateUserRequest',
  z.object({
    email: email().nullable().optional(),
    phone: phone().nullable().optional(),
    metadata: metadata().nullable().optional(),
    status: userStatus().optional(),
  }),
  { email: 'ada@example.com', phone: null },
);

export const userSummaryExample = {
  _id: example.userId,
  external_id: example.user,
  email: 'a***@e******.com',
};

export const userSummary = wireSchema<UserSummary>()(
  'UserSummary',
  z.object({ _id: uuid(), external_id: z.string(), email: masked().optional(), phone: masked().optional() }),
  userSummaryExample,
);

const userExample: User = {
  ...userSummaryExample,
  metadata: { plan: 'family' },
  status: 'active',
  createdAt: example.now,
  updatedAt: example.now,
};

export const user = wireSchema<User>()(
  'User',
  z.object({
    _id: uuid(),
    external_id: z.string(),
    email: masked().optional(),
    phone: masked().optional(),
    metadata: storedMetadata(),
    status: userStatus(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  }),
  userExample,
);

export const updateUserResponse = wireSchema<UpdateUserResponse>()(
  'UpdateUserResponse',
  user.extend({ warnings: warnings() }),
  userExample,
);
