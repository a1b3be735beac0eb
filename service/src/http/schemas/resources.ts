import { z } from '@hono/zod-openapi';
import type {
  Access,
  Challenge,
  ChallengeSummary,
  Device,
  DeviceInfo,
  DeviceLimit,
  UpdateUserAnswer,
  User,
  UserSummary,
} from 'whorl/wire';
import { example } from './examples.js';
import { storedMetadata } from './metadata.js';
import { masked, timestamp, uuid } from './text.js';
import { challengeStatus, channel, deviceKind, deviceStatus, reason, userStatus, verdict } from './vocabulary.js';
import { warnings } from './warnings.js';
import { wireSchema } from './wire-schema.js';

const count = () => z.int().min(0);
const externalUser = () => z.string().openapi({ description: 'Your own identifier of the user.' });

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

const limitExample = { is_exceeded: false, overall: 2, mobile: 1, tablet: 0, desktop: 1 };

export const deviceLimit = wireSchema<DeviceLimit>()(
  'DeviceLimit',
  z.object({ is_exceeded: z.boolean(), overall: count(), mobile: count(), tablet: count(), desktop: count() }),
  limitExample,
);

const challengeSummaryFields = {
  _id: uuid(),
  user: userSummary,
  status: challengeStatus(),
  reasons: z.array(reason()),
  createdAt: timestamp(),
};

const challengeSummaryExample: ChallengeSummary = {
  _id: example.challenge,
  user: userSummaryExample,
  status: 'pending',
  reasons: ['new_device', 'new_ip'],
  createdAt: example.now,
};

export const challengeSummary = wireSchema<ChallengeSummary>()(
  'ChallengeSummary',
  z.object(challengeSummaryFields),
  challengeSummaryExample,
);

export const challengeExample: Challenge = {
  ...challengeSummaryExample,
  limit: limitExample,
  channels: ['email'],
  action: 'login',
  device_id: example.device,
  ip: example.ip,
  expires_at: example.later,
};

export const challenge = wireSchema<Challenge>()(
  'Challenge',
  z.object({
    ...challengeSummaryFields,
    limit: deviceLimit,
    channels: z.array(channel()),
    action: z.string(),
    device_id: uuid().optional(),
    ip: z.string().optional(),
    sent_at: timestamp().optional(),
    verified_at: timestamp().optional(),
    completed_at: timestamp().optional(),
    expires_at: timestamp(),
  }),
  challengeExample,
);

const infoExample: DeviceInfo = {
  kind: 'desktop',
  os: 'Linux',
  browser: 'Chromium',
  browser_version: 156,
  label: 'Chromium 156 on Linux',
};

export const deviceInfo = wireSchema<DeviceInfo>()(
  'DeviceInfo',
  z.object({
    kind: deviceKind(),
    os: z.string(),
    browser: z.string(),
    browser_version: z.number().optional(),
    label: z.string(),
  }),
  infoExample,
);

export const deviceExample: Device = {
  _id: example.device,
  user: example.userId,
  external_user: example.user,
  project: example.project,
  info: infoExample,
  status: 'attached',
  metadata: { nickname: 'Laptop' },
  createdAt: example.now,
  updatedAt: example.now,
  __v: 0,
  auto_detached: false,
  fingerprint_id: example.identity,
  trusted: true,
  proven: false,
  whitelisted: false,
  dev: false,
  last_seen_at: example.now,
  last_ip: example.ip,
};

export const device = wireSchema<Device>()(
  'Device',
  z.object({
    _id: uuid(),
    user: uuid().openapi({ description: 'The `_id` of the user.' }),
    external_user: externalUser(),
    project: uuid(),
    info: deviceInfo,
    status: deviceStatus(),
    metadata: storedMetadata(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    __v: count(),
    auto_detached: z.boolean(),
    detached_at: timestamp().optional(),
    fingerprint_id: uuid(),
    trusted: z.boolean(),
    proven: z.boolean(),
    whitelisted: z.boolean(),
    dev: z.boolean(),
    last_seen_at: timestamp(),
    last_ip: z.string().optional(),
  }),
  deviceExample,
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

export const updateUserAnswer = wireSchema<UpdateUserAnswer>()(
  'UpdateUserAnswer',
  user.extend({ warnings: warnings() }),
  userExample,
);

export const access = wireSchema<Access>()(
  'Access',
  z.object({
    _id: uuid(),
    user: uuid()
      .optional()
      .openapi({ description: 'The `_id` of the user; absent where it was refused before it was known.' }),
    external_user: externalUser(),
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
