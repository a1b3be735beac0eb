import { z } from '@hono/zod-openapi';
import type {
  Access,
  AttachAnswer,
  ChallengeDevices,
  ChallengeSummary,
  ClaimedEvaluation,
  Device,
  DeviceHash,
  DeviceSuccess,
  Evaluation,
  FingerprintAnswer,
  NonceAnswer,
  Page,
  SendAnswer,
  Success,
  VerifyAnswer,
} from 'whorl/wire';
import { example } from './examples.js';
import { access, challengeSummary, device, deviceExample, deviceLimit } from './resources.js';
import { challengeUrl, timestamp, uuid } from './text.js';
import { channel, matchedBy, reason, verdict } from './vocabulary.js';
import { warnings } from './warnings.js';
import { wireSchema } from './wire-schema.js';

const recognitionFields = {
  fingerprint_id: uuid().openapi({ description: 'The browser, as the service knows it.' }),
  confidence: z.number().min(0).max(1).openapi({
    description: 'The probability that this is the device of `fingerprint_id`.',
  }),
  matched_by: matchedBy(),
  changed: z.array(z.string()).openapi({ description: 'The facets that changed since it was seen last.' }),
};

const recognitionExample = {
  fingerprint_id: example.identity,
  confidence: 1,
  matched_by: 'exact',
  changed: [],
} satisfies FingerprintAnswer;

export const evaluation = wireSchema<Evaluation>()(
  'Evaluation',
  z.object({
    verdict: verdict(),
    reasons: z.array(reason()),
    challenge_id: uuid().optional().openapi({ description: 'With `challenge` and `challenge_and_restrict`.' }),
    challenge_url: challengeUrl(),
    evaluation_id: uuid(),
    user_id: uuid().optional().openapi({ description: 'Absent with `deny` where the user was not known.' }),
    device_id: uuid().optional(),
    device_token: z.string().optional(),
    ...recognitionFields,
    observed_verdict: verdict().optional(),
    warnings: warnings(),
  }),
  {
    verdict: 'challenge',
    reasons: ['new_device', 'new_ip'],
    challenge_id: example.challenge,
    evaluation_id: example.evaluation,
    user_id: example.userId,
    device_id: example.device,
    device_token: example.deviceToken,
    ...recognitionExample,
  },
);

export const claimedEvaluation = wireSchema<ClaimedEvaluation>()(
  'ClaimedEvaluation',
  z.object({
    evaluation_id: uuid(),
    verdict: verdict(),
    fingerprint_id: uuid(),
    challenge_id: uuid().optional(),
    challenge_url: challengeUrl(),
    token: z.string(),
    warnings: warnings(),
  }),
  {
    evaluation_id: example.evaluation,
    verdict: 'challenge',
    fingerprint_id: example.identity,
    challenge_id: example.challenge,
    token: example.token,
  },
);

/** With a secret key, and with a publishable one. */
export const anyEvaluation = z.union([evaluation, claimedEvaluation]);

export const fingerprintAnswer = wireSchema<FingerprintAnswer>()(
  'FingerprintAnswer',
  z.object(recognitionFields),
  recognitionExample,
);

export const nonceAnswer = wireSchema<NonceAnswer>()(
  'NonceAnswer',
  z.object({ nonce: z.string(), expires_at: timestamp() }),
  { nonce: example.nonce, expires_at: example.now },
);

export const attachAnswer = wireSchema<AttachAnswer>()(
  'AttachAnswer',
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

export const success = wireSchema<Success>()('Success', z.object({ success: z.boolean() }), { success: true });

export const deviceSuccess = wireSchema<DeviceSuccess>()('DeviceSuccess', z.object({ success: z.boolean(), device }), {
  success: true,
  device: { ...deviceExample, status: 'detached', trusted: false, detached_at: example.later },
});

export const sendAnswer = wireSchema<SendAnswer>()(
  'SendAnswer',
  z.object({ challenge_id: uuid(), channel: channel(), sent_to: z.string(), expires_at: timestamp() }),
  { challenge_id: example.challenge, channel: 'email', sent_to: 'a***@e******.com', expires_at: example.now },
);

export const verifyAnswer = wireSchema<VerifyAnswer>()(
  'VerifyAnswer',
  z.object({ success: z.boolean(), attempts_remaining: z.int().min(0).optional() }),
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

export const deviceList = z.array(device);

const pageFields = {
  page: z.int().min(1),
  limit: z.int().min(1).max(100),
  total: z.int().min(0).openapi({ description: 'How many match in all.' }),
};
const emptyPage = { data: [], page: 1, limit: 10, total: 0 };

export const challengePage = wireSchema<Page<ChallengeSummary>>()(
  'ChallengePage',
  z.object({ data: z.array(challengeSummary), ...pageFields }),
  emptyPage,
);

export const devicePage = wireSchema<Page<Device>>()(
  'DevicePage',
  z.object({ data: z.array(device), ...pageFields }),
  emptyPage,
);

export const accessPage = wireSchema<Page<Access>>()(
  'AccessPage',
  z.object({ data: z.array(access), ...pageFields }),
  emptyPage,
);

/** Everything that is held on a user; what it holds grows with the service. */
export const userExport = z.record(z.string(), z.unknown()).openapi('UserExport');
