import { z } from '@hono/zod-openapi';
import type { EventData, EventType } from 'whorl/wire';
import { alertKinds } from '../../ground/vocabulary.js';
import { example } from '../../http/schemas/examples.js';
import { timestamp } from '../../http/schemas/fields.js';
import { reason } from '../../http/schemas/vocabulary.js';
import { type Agreeing, namedSchema, type Plain } from '../../http/schemas/wire-schema.js';
import { challenge, challengeExample } from '../challenges/schemas.js';
import { device, deviceExample } from '../devices/schemas.js';
import { userSummary, userSummaryExample } from '../users/schemas.js';

interface EventTexts {
  readonly title: string;
  /** When it is emitted, in the API's documentation. */
  readonly when: string;
  /** Name in a timeline of the dashboard. */
  readonly inTimeline: string;
  /** When it is emitted, and its data, in the table of docs/webhooks.md. */
  readonly inDocs: readonly [when: string, data: string];
}

interface EventEntry extends EventTexts {
  /** Schema of the body. */
  readonly schema: z.ZodType;
}

/** Describes an event. Compilation fails if the schema of its data differs from its type in `whorl/wire`. */
function event<Type extends EventType, Data extends z.ZodType>(
  type: Type,
  {
    data,
    example: dataExample,
    ...texts
  }: EventTexts & {
    readonly data: Data & Agreeing<z.output<Data>, EventData[Type]>;
    readonly example: Plain<EventData[Type]>;
  },
): EventEntry {
  const body = z.object({ type: z.literal(type), timestamp: timestamp(), data });
  return {
    ...texts,
    schema: namedSchema(componentName(type), body, { type, timestamp: example.now, data: dataExample }),
  };
}

/** Returns the name of an event's schema: `challenge.initiated` as "ChallengeInitiated". */
function componentName(type: EventType): string {
  return type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const challengeData = z.object({ challenge });
const aboutChallenge = { data: challengeData, example: { challenge: challengeExample } };

/** All events: when each is emitted, and its body. `whorl/wire` has their types. */
export const events: Readonly<Record<EventType, EventEntry>> = {
  'challenge.initiated': event('challenge.initiated', {
    title: 'Challenge initiated',
    when: 'An evaluation or attachment created a challenge.',
    inTimeline: 'Challenge created',
    inDocs: ['an evaluation or attachment created a challenge', '`challenge`'],
    ...aboutChallenge,
  }),
  'challenge.viewed': event('challenge.viewed', {
    title: 'Challenge viewed',
    when: 'A challenge was opened for the first time.',
    inTimeline: 'Challenge viewed',
    inDocs: ['it was opened for the first time', '`challenge`'],
    ...aboutChallenge,
  }),
  'challenge.pending': event('challenge.pending', {
    title: 'Challenge pending',
    when: 'A code was sent.',
    inTimeline: 'Code sent',
    inDocs: ['a code was sent', '`challenge`'],
    ...aboutChallenge,
  }),
  'challenge.skipped': event('challenge.skipped', {
    title: 'Challenge skipped',
    when: 'A challenge was skipped. `cause` is `disowned` if the user said that the attempt was not theirs.',
    inTimeline: 'Challenge skipped',
    inDocs: [
      'it was skipped',
      '`challenge`, and `cause: disowned` if the user said that the attempt was not theirs. The link in a message also emits it for a claim, whose challenge was not announced before',
    ],
    ...aboutChallenge,
    data: challengeData.extend({ cause: z.literal('disowned').optional() }),
  }),
  'challenge.completed': event('challenge.completed', {
    title: 'Challenge completed',
    when: 'A challenge was completed.',
    inTimeline: 'Challenge completed',
    inDocs: ['it was completed', '`challenge`'],
    ...aboutChallenge,
  }),
  'account_sharing.signal': event('account_sharing.signal', {
    title: 'Account sharing signal',
    when: '`limit_exceeded` or `concurrency` was detected. At most once per user per day.',
    inTimeline: 'Account sharing signal',
    inDocs: [
      '`limit_exceeded` or `concurrency` was raised, at most once a day for each user',
      '`user`, `reasons`, `devices`',
    ],
    data: z.object({ user: userSummary, reasons: z.array(reason()), devices: z.array(device) }),
    example: { user: userSummaryExample, reasons: ['limit_exceeded'], devices: [deviceExample] },
  }),
  'account_sharing.admin_notified': event('account_sharing.admin_notified', {
    title: 'Admin notified of shared account',
    when: "There were signals on 3 days out of 7, and an email was sent to the project's administrator.",
    inTimeline: 'Administrator notified of account sharing',
    inDocs: ['signals on 3 days out of 7: an email was sent to `admin_email`', '`user`, `signals`'],
    data: z.object({ user: userSummary, signals: z.array(timestamp()) }),
    example: { user: userSummaryExample, signals: [example.now] },
  }),
  'device.detached': event('device.detached', {
    title: 'Device detached',
    when: 'A device was detached, signed out to make room for another, or idle for too long.',
    inTimeline: 'Device signed out',
    inDocs: ['a device was detached, kicked, or idle for too long', '`device`, `cause`'],
    data: z.object({ device, cause: z.enum(['detach', 'kick', 'auto_detach']) }),
    example: { device: { ...deviceExample, status: 'detached', detached_at: example.now }, cause: 'kick' },
  }),
  'device.disowned': event('device.disowned', {
    title: 'Device disowned',
    when: 'A user said "This was not me" of a device, a changed contact or an attempt. The device is blocked.',
    inTimeline: 'User did not recognise a device or a change',
    inDocs: [
      'the user said ["This was not me"](devices-page.md). End all sessions of the user, and ask for a new password',
      '`user`; `device`, if there is one; `notice`, if the link in a message was used',
    ],
    data: z.object({
      user: userSummary,
      device: device.optional(),
      notice: z.enum(['new_device', 'contact_changed', 'denied_attempt']).optional(),
    }),
    example: { user: userSummaryExample, device: { ...deviceExample, status: 'blocked', trusted: false } },
  }),
  'attention.raised': event('attention.raised', {
    title: 'Attention raised',
    when: 'Something needs attention, such as an unusual rate. Once when it begins, with `alert_events` on.',
    inTimeline: 'Attention raised',
    inDocs: [
      'something [needs attention](alerts.md), with `alert_events` on',
      '`kind`; `subject`, unless there is only one of the kind; `text`, `url` of the dashboard. It is about no user',
    ],
    data: z.object({ kind: z.enum(alertKinds), subject: z.string().optional(), text: z.string(), url: z.string() }),
    example: {
      kind: 'failing_rule',
      subject: 'Large payouts',
      text: 'The condition of the rule “Large payouts” fails, so it matches nothing then.',
      url: 'https://fraud.example/dashboard/0190a5e0-7c1e-7b3a-8f00-2f1d3c4b5a69/live/rules',
    },
  }),
  'user.converted': event('user.converted', {
    title: 'User converted',
    when: "A device that was challenged for sharing another user's account signed up as a new user.",
    inTimeline: 'A person sharing an account created their own',
    inDocs: [
      "a device that was challenged for sharing another user's account signed up with its own",
      '`user`, `from_user`, `device`',
    ],
    data: z.object({ user: userSummary, from_user: userSummary, device }),
    example: { user: userSummaryExample, from_user: userSummaryExample, device: deviceExample },
  }),
};
