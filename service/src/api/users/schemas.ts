import { z } from '@hono/zod-openapi';
import type {
  CursorPage,
  SearchUsersRequest,
  UpdateUserRequest,
  UpdateUserResponse,
  User,
  UserSummary,
  UsersQuery,
} from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { email, masked, metadata, phone, storedMetadata, timestamp, uuid } from '../../http/schemas/fields.js';
import {
  type CompleteCursor,
  cursor,
  inOrder,
  pageQueryFields,
  wereSeenInOrder,
  wrongOrder,
  wrongSeenOrder,
} from '../../http/schemas/query.js';
import { warnings } from '../../http/schemas/responses.js';
import { userContactFields, userQueryFields } from '../../http/schemas/user-filters.js';
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

export const usersQuery = wireSchema<CompleteCursor<UsersQuery>>()(
  'UsersQuery',
  z
    .strictObject({ ...userQueryFields, cursor: cursor(), limit: pageQueryFields.limit })
    .refine(inOrder, wrongOrder)
    .refine(wereSeenInOrder, wrongSeenOrder),
  { status: 'suspended', min_devices: 3, limit: 10 },
);

export const searchUsersRequest = wireSchema<CompleteCursor<SearchUsersRequest>>()(
  'SearchUsersRequest',
  z
    .object({
      ...userContactFields,
      cursor: cursor(),
      limit: z.int().min(1).max(100).default(10).openapi({ description: 'Number of results per page.' }),
    })
    .refine(({ email, phone }) => email !== undefined || phone !== undefined, {
      path: ['email'],
      message: 'is required, unless there is a `phone`',
    }),
  { email: 'ada@example.com', limit: 10 },
);

export const usersPage = wireSchema<CursorPage<User>>()(
  'UsersPage',
  z.object({
    data: z.array(user),
    next_cursor: z.string().optional().openapi({ description: 'Where the next page begins. Absent on the last page.' }),
  }),
  { data: [userExample] },
);
