import { z } from '@hono/zod-openapi';
import type { EventType, WebhookEvent } from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { timestamp } from '../../http/schemas/fields.js';
import { reason } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { challenge, challengeExample } from '../challenges/schemas.js';
import { device, deviceExample } from '../devices/schemas.js';
import { userSummary, userSummaryExample } from '../users/schemas.js';

type EventOf<Type extends EventType> = Extract<WebhookEvent, { type: Type }>;

const envelope = <Type extends EventType>(type: Type) => ({ type: z.literal(type), timestamp: timestamp() });

const challengeData = z.object({ challenge });
const challengeEventExample = { timestamp: example.now, data: { challenge: challengeExample } };

const challengeInitiated = wireSchema<EventOf<'challenge.initiated'>>()(
  'ChallengeInitiated',
  z.object({ ...envelope('challenge.initiated'), data: challengeData }),
  { type: 'challenge.initiated', ...challengeEventExample },
);
const challengeViewed = wireSchema<EventOf<'challenge.viewed'>>()(
  'ChallengeViewed',
  z.object({ ...envelope('challenge.viewed'), data: challengeData }),
  { type: 'challenge.viewed', ...challengeEventExample },
);
const challengePending = wireSchema<EventOf<'challenge.pending'>>()(
  'ChallengePending',
  z.object({ ...envelope('challenge.pending'), data: challengeData }),
  { type: 'challenge.pending', ...challengeEventExample },
);
const challengeSkipped = wireSchema<EventOf<'challenge.skipped'>>()(
  'ChallengeSkipped',
  z.object({
    ...envelope('challenge.skipped'),
    data: challengeData.extend({ cause: z.literal('disowned').optional() }),
  }),
  { type: 'challenge.skipped', ...challengeEventExample },
);
const challengeCompleted = wireSchema<EventOf<'challenge.completed'>>()(
  'ChallengeCompleted',
  z.object({ ...envelope('challenge.completed'), data: challengeData }),
  { type: 'challenge.completed', ...challengeEventExample },
);

const accountSharingSignal = wireSchema<EventOf<'account_sharing.signal'>>()(
  'AccountSharingSignal',
  z.object({
    ...envelope('account_sharing.signal'),
    data: z.object({ user: userSummary, reasons: z.array(reason()), devices: z.array(device) }),
  }),
  {
    type: 'account_sharing.signal',
    timestamp: example.now,
    data: { user: userSummaryExample, reasons: ['limit_exceeded'], devices: [deviceExample] },
  },
);

const accountSharingAdminNotified = wireSchema<EventOf<'account_sharing.admin_notified'>>()(
  'AccountSharingAdminNotified',
  z.object({
    ...envelope('account_sharing.admin_notified'),
    data: z.object({ user: userSummary, signals: z.array(timestamp()) }),
  }),
  {
    type: 'account_sharing.admin_notified',
    timestamp: example.now,
    data: { user: userSummaryExample, signals: [example.now] },
  },
);

const deviceDetached = wireSchema<EventOf<'device.detached'>>()(
  'DeviceDetached',
  z.object({
    ...envelope('device.detached'),
    data: z.object({ device, cause: z.enum(['detach', 'kick', 'auto_detach']) }),
  }),
  {
    type: 'device.detached',
    timestamp: example.now,
    data: { device: { ...deviceExample, status: 'detached', detached_at: example.now }, cause: 'kick' },
  },
);

const userConverted = wireSchema<EventOf<'user.converted'>>()(
  'UserConverted',
  z.object({
    ...envelope('user.converted'),
    data: z.object({ user: userSummary, from_user: userSummary, device }),
  }),
  {
    type: 'user.converted',
    timestamp: example.now,
    data: { user: userSummaryExample, from_user: userSummaryExample, device: deviceExample },
  },
);

/** When each event is emitted, and its body. docs/webhooks.md describes the events. */
export const eventSchemas = {
  'challenge.initiated': {
    title: 'Challenge initiated',
    when: 'An evaluation or attachment created a challenge.',
    schema: challengeInitiated,
  },
  'challenge.viewed': {
    title: 'Challenge viewed',
    when: 'A challenge was opened for the first time.',
    schema: challengeViewed,
  },
  'challenge.pending': { title: 'Challenge pending', when: 'A code was sent.', schema: challengePending },
  'challenge.skipped': {
    title: 'Challenge skipped',
    when: 'A challenge was skipped. `cause` is `disowned` if the user said that the attempt was not theirs.',
    schema: challengeSkipped,
  },
  'challenge.completed': {
    title: 'Challenge completed',
    when: 'A challenge was completed.',
    schema: challengeCompleted,
  },
  'account_sharing.signal': {
    title: 'Account sharing signal',
    when: '`limit_exceeded` or `concurrency` was detected. At most once per user per day.',
    schema: accountSharingSignal,
  },
  'account_sharing.admin_notified': {
    title: 'Admin notified of shared account',
    when: "There were signals on 3 days out of 7, and an email was sent to the project's administrator.",
    schema: accountSharingAdminNotified,
  },
  'device.detached': {
    title: 'Device detached',
    when: 'A device was detached, signed out to make room for another, or idle for too long.',
    schema: deviceDetached,
  },
  'user.converted': {
    title: 'User converted',
    when: "A device that was challenged for sharing another user's account signed up as a new user.",
    schema: userConverted,
  },
} as const satisfies Record<EventType, { title: string; when: string; schema: z.ZodType }>;
