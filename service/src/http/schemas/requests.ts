import { z } from '@hono/zod-openapi';
import type {
  AttachRequest,
  ConsumeRequest,
  DetachRequest,
  EvaluateRequest,
  FeedbackRequest,
  FingerprintRequest,
  KickRequest,
  MetadataRequest,
  SendChallengeRequest,
  UpdateDeviceRequest,
  UpdateUserRequest,
  VerifyChallengeRequest,
} from 'whorl/wire';
import { example } from './examples.js';
import { metadata } from './metadata.js';
import { actionName, fingerprintText, ipAddress, line, text, userId, uuid } from './text.js';
import { channel, feedbackLabel, userStatus } from './vocabulary.js';
import { wireSchema } from './wire-schema.js';

// Any text is taken: one that cannot be read is left out (users/rules/contacts/read.ts).
export const email = () =>
  z.string().openapi({ description: "The user's e-mail address. One that is none is ignored." });
export const phone = () =>
  z.string().openapi({
    description:
      "The user's phone number: in international form, or in the national form of the project's `default_country`. One " +
      'that cannot be read is ignored.',
  });

const fingerprintFields = {
  fingerprint: fingerprintText().openapi({ description: 'The current fingerprint: the first value of `getHash`.' }),
  last_fingerprint: fingerprintText()
    .optional()
    .openapi({ description: 'The last saved fingerprint: the second value of `getHash`.' }),
  version: line(64).optional().openapi({ description: 'Version of the browser package.' }),
};

const accountFields = {
  user: userId(),
  ...fingerprintFields,
  ip: ipAddress().optional(),
  email: email().optional(),
  phone: phone().optional(),
  metadata: metadata().optional(),
  proof: line(8192)
    .optional()
    .openapi({ description: 'What `getProof` resolved to: that the page holds a key. A wrong one counts as none.' }),
};

const { fingerprint, user, ip } = example;

export const evaluateRequest = wireSchema<EvaluateRequest>()(
  'EvaluateRequest',
  z.object({
    action: actionName(),
    ...accountFields,
    user_agent: text(2048)
      .optional()
      .openapi({ description: "The browser's `User-Agent`, checked against the fingerprint." }),
  }),
  {
    action: 'login',
    user,
    fingerprint,
    last_fingerprint: fingerprint,
    ip,
    metadata: { plan: 'family' },
    proof: example.proof,
  },
);

export const attachRequest = wireSchema<AttachRequest>()('AttachRequest', z.object(accountFields), {
  user,
  fingerprint,
  ip,
});

export const fingerprintRequest = wireSchema<FingerprintRequest>()('FingerprintRequest', z.object(fingerprintFields), {
  fingerprint,
});

export const detachRequest = wireSchema<DetachRequest>()(
  'DetachRequest',
  z.object({ user: userId().optional().openapi({ description: "Checked against the device's user where given." }) }),
  { user },
);

export const metadataRequest = wireSchema<MetadataRequest>()(
  'MetadataRequest',
  z.object({
    metadata: metadata().openapi({ description: 'Merged key by key; null removes a key. 16 KiB at most in all.' }),
  }),
  { metadata: { nickname: 'Laptop', color: null } },
);

export const updateDeviceRequest = wireSchema<UpdateDeviceRequest>()(
  'UpdateDeviceRequest',
  z.object({
    status: z.enum(['blocked', 'attached']).optional(),
    whitelisted: z.boolean().optional().openapi({ description: 'Whether the device is trusted for good.' }),
  }),
  { whitelisted: true },
);

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

export const sendChallengeRequest = wireSchema<SendChallengeRequest>()(
  'SendChallengeRequest',
  z.object({
    channel: channel()
      .optional()
      .openapi({ description: 'Default: the first on which the user has an address and the service can send.' }),
  }),
  { channel: 'email' },
);

export const verifyChallengeRequest = wireSchema<VerifyChallengeRequest>()(
  'VerifyChallengeRequest',
  z.object({ code: line(64).openapi({ description: 'What the user typed.' }) }),
  { code: '123456' },
);

export const kickRequest = wireSchema<KickRequest>()(
  'KickRequest',
  z.object({ device: uuid().openapi({ description: "A device of the challenge's user, not the challenged one." }) }),
  { device: example.otherDevice },
);

export const consumeRequest = wireSchema<ConsumeRequest>()(
  'ConsumeRequest',
  z.object({
    user: userId(),
    action: actionName(),
    email: email().optional(),
    phone: phone().optional(),
    metadata: metadata().optional().openapi({ description: 'Instead of what the page sent.' }),
  }),
  { user, action: 'login', email: 'ada@example.com' },
);

export const feedbackRequest = wireSchema<FeedbackRequest>()(
  'FeedbackRequest',
  z.object({ label: feedbackLabel(), note: text(2000).optional() }),
  { label: 'fraud', note: 'Charged back.' },
);
