import { z } from '@hono/zod-openapi';
import type {
  Challenge,
  ChallengeDevices,
  ChallengeSummary,
  CompleteChallengeRequest,
  DeviceHash,
  KickRequest,
  ListChallengesQuery,
  Page,
  SendChallengeRequest,
  SendResponse,
  VerifyChallengeRequest,
  VerifyResponse,
} from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { line, methodName, tags, timestamp, uuid } from '../../http/schemas/fields.js';
import { type Complete, inOrder, periodFields, wrongOrder } from '../../http/schemas/query.js';
import { emptyPage, pageResponseFields } from '../../http/schemas/responses.js';
import { challengeStatus, channel, reason } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { device, deviceExample, deviceLimit, limitExample } from '../devices/schemas.js';
import { userSummary, userSummaryExample } from '../users/schemas.js';

export const sendResponse = wireSchema<SendResponse>()(
  'SendResponse',
  z.object({ challenge_id: uuid(), channel: channel(), sent_to: z.string(), expires_at: timestamp() }),
  { challenge_id: example.challenge, channel: 'email', sent_to: 'a***@e******.com', expires_at: example.now },
);

export const verifyResponse = wireSchema<VerifyResponse>()(
  'VerifyResponse',
  z.object({
    success: z.boolean(),
    attempts_remaining: z.int().min(0).optional().openapi({ description: 'Present after a wrong code.' }),
    resend_after_seconds: z
      .int()
      .min(0)
      .optional()
      .openapi({
        description:
          'With `attempts_remaining: 0`: seconds until another code can be sent and tried, 0 if one can be sent now. Absent ' +
          'if no more codes can be sent for the challenge.',
      }),
  }),
  { success: false, attempts_remaining: 4 },
);

export const challengeDevices = wireSchema<ChallengeDevices>()(
  'ChallengeDevices',
  z.object({ data: z.array(device) }),
  { data: [deviceExample] },
);

export const deviceHash = wireSchema<DeviceHash>()('DeviceHash', z.object({ device_id: uuid(), hash: z.string() }), {
  device_id: example.device,
  hash: example.fingerprint,
});

const challengeSummaryFields = {
  _id: uuid(),
  user: userSummary,
  status: challengeStatus(),
  reasons: z.array(reason()),
  tags: tags(),
  createdAt: timestamp(),
};

const challengeSummaryExample: ChallengeSummary = {
  _id: example.challenge,
  user: userSummaryExample,
  status: 'pending',
  reasons: ['new_device', 'new_ip'],
  createdAt: example.now,
};

const challengeSummary = wireSchema<ChallengeSummary>()(
  'ChallengeSummary',
  z.object(challengeSummaryFields),
  challengeSummaryExample,
);

export const challengePage = wireSchema<Page<ChallengeSummary>>()(
  'ChallengePage',
  z.object({ data: z.array(challengeSummary), ...pageResponseFields }),
  emptyPage,
);

export const sendChallengeRequest = wireSchema<SendChallengeRequest>()(
  'SendChallengeRequest',
  z.object({
    channel: channel()
      .optional()
      .openapi({ description: 'Default: the first channel that is configured and for which the user has an address.' }),
  }),
  { channel: 'email' },
);

export const verifyChallengeRequest = wireSchema<VerifyChallengeRequest>()(
  'VerifyChallengeRequest',
  z.object({ code: line(64).openapi({ description: 'The code that the user entered.' }) }),
  { code: '123456' },
);

export const completeChallengeRequest = wireSchema<CompleteChallengeRequest>()(
  'CompleteChallengeRequest',
  z.object({
    method: methodName()
      .optional()
      .openapi({ description: 'How you verified the user yourself, such as `passkey`. It needs no code.' }),
  }),
  { method: 'passkey' },
);

export const kickRequest = wireSchema<KickRequest>()(
  'KickRequest',
  z.object({
    device: uuid().openapi({ description: "A device of the challenge's user, other than the challenged one." }),
  }),
  { device: example.otherDevice },
);

export const challengeExample: Challenge = {
  ...challengeSummaryExample,
  limit: limitExample,
  channels: ['email'],
  action: 'login',
  device_id: example.device,
  ip: example.ip,
  verified_by: null,
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
    verified_by: z.string().nullable().openapi({
      description: 'The channel of the verified code, or the `method` of `complete`. Null if neither is known.',
    }),
    expires_at: timestamp(),
  }),
  challengeExample,
);

export const listChallengesQuery = wireSchema<Complete<ListChallengesQuery>>()(
  'ListChallengesQuery',
  z.object(periodFields).refine(inOrder, wrongOrder),
  { page: 1, limit: 10 },
);
