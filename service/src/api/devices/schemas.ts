import { z } from '@hono/zod-openapi';
import type {
  AttachRequest,
  AttachResponse,
  DetachRequest,
  Device,
  DeviceInfo,
  DeviceLimit,
  DeviceSuccess,
  DevicesQuery,
  DisownRequest,
  MetadataRequest,
  Page,
  UpdateDeviceRequest,
  UserDevicesQuery,
} from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import {
  accountFields,
  challengeUrl,
  count,
  externalUser,
  hardwareFields,
  line,
  metadata,
  storedMetadata,
  timestamp,
  userId,
  uuid,
} from '../../http/schemas/fields.js';
import { type Complete, pageQueryFields } from '../../http/schemas/query.js';
import { emptyPage, pageResponseFields, warnings } from '../../http/schemas/responses.js';
import { deviceKind, deviceStatus } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

export const limitExample = { is_exceeded: false, overall: 2, mobile: 1, tablet: 0, desktop: 1 };

export const deviceLimit = wireSchema<DeviceLimit>()(
  'DeviceLimit',
  z.object({ is_exceeded: z.boolean(), overall: count(), mobile: count(), tablet: count(), desktop: count() }),
  limitExample,
);

export const attachResponse = wireSchema<AttachResponse>()(
  'AttachResponse',
  z.object({
    success: z.boolean(),
    user_id: uuid(),
    device_id: uuid(),
    fingerprint_id: uuid(),
    attached_devices: z.int().min(0),
    limit: deviceLimit,
    challenge_id: uuid().optional(),
    challenge_url: challengeUrl(),
    device_token: z.string(),
    warnings: warnings(),
  }),
  {
    success: true,
    user_id: example.userId,
    device_id: example.device,
    fingerprint_id: example.identity,
    attached_devices: 2,
    limit: { is_exceeded: false, overall: 2, mobile: 1, tablet: 0, desktop: 1 },
    device_token: example.deviceToken,
  },
);

const place = z.object({
  country: z.string().optional().openapi({ description: 'ISO 3166-1 alpha-2.' }),
  region: z.string().optional(),
  city: z.string().optional(),
});

const infoExample: DeviceInfo = {
  kind: 'desktop',
  os: 'Linux',
  browser: 'Chromium',
  browser_version: 156,
  label: 'Chromium 156 on Linux',
};

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

export const device = wireSchema<Device>()(
  'Device',
  z.object({
    _id: uuid(),
    user: uuid().openapi({ description: 'The `_id` of the user.' }),
    external_user: externalUser(),
    project: uuid(),
    name: z.string().optional().openapi({ description: "The user's own name for it." }),
    info: deviceInfo,
    status: deviceStatus(),
    metadata: storedMetadata(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    __v: count(),
    auto_detached: z.boolean(),
    detached_at: timestamp().optional(),
    fingerprint_id: uuid(),
    ...hardwareFields,
    trusted: z.boolean(),
    proven: z.boolean(),
    whitelisted: z.boolean(),
    dev: z.boolean(),
    last_seen_at: timestamp(),
    last_ip: z.string().optional(),
    last_place: place.optional().openapi({
      description: "Where `last_ip` is, as far as it is known. Only in a list of a user's devices.",
    }),
  }),
  deviceExample,
);

export const deviceSuccess = wireSchema<DeviceSuccess>()('DeviceSuccess', z.object({ success: z.boolean(), device }), {
  success: true,
  device: { ...deviceExample, status: 'detached', trusted: false, detached_at: example.later },
});

export const devicePage = wireSchema<Page<Device>>()(
  'DevicePage',
  z.object({ data: z.array(device), ...pageResponseFields }),
  emptyPage,
);

export const attachRequest = wireSchema<AttachRequest>()('AttachRequest', z.object(accountFields), {
  user: example.user,
  fingerprint: example.fingerprint,
  ip: example.ip,
});

const ownerOfDevice = () => userId().optional().openapi({ description: "If set, must be the device's user." });

export const detachRequest = wireSchema<DetachRequest>()('DetachRequest', z.object({ user: ownerOfDevice() }), {
  user: example.user,
});

export const disownRequest = wireSchema<DisownRequest>()('DisownRequest', z.object({ user: ownerOfDevice() }), {
  user: example.user,
});

export const metadataRequest = wireSchema<MetadataRequest>()(
  'MetadataRequest',
  z.object({
    metadata: metadata().openapi({ description: 'Merged key by key; null removes a key. At most 16 KiB in total.' }),
  }),
  { metadata: { nickname: 'Laptop', color: null } },
);

export const updateDeviceRequest = wireSchema<UpdateDeviceRequest>()(
  'UpdateDeviceRequest',
  z.object({
    status: z.enum(['blocked', 'attached']).optional(),
    whitelisted: z.boolean().optional().openapi({ description: 'Whether the device is always trusted.' }),
    name: line(64)
      .nullable()
      .optional()
      .openapi({ description: "The user's own name for the device, at most 64 characters. Null removes it." }),
    user: ownerOfDevice(),
  }),
  { whitelisted: true },
);

const hardwareOfDevices = () =>
  uuid().openapi({ description: 'Only devices whose browser was seen with this hardware.' });

export const userDevicesQuery = wireSchema<Complete<UserDevicesQuery>>()(
  'UserDevicesQuery',
  z.object({
    ...pageQueryFields,
    status: deviceStatus().optional(),
    hardware_id: hardwareOfDevices().optional(),
  }),
  { page: 1, limit: 10 },
);

export const devicesQuery = wireSchema<Complete<DevicesQuery>>()(
  'DevicesQuery',
  z.object({ ...pageQueryFields, hardware_id: hardwareOfDevices(), status: deviceStatus().optional() }),
  { page: 1, limit: 10, hardware_id: example.hardware },
);
