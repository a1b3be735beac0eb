import { z } from '@hono/zod-openapi';
import type { ConsumeRequest, EvaluateRequest, FeedbackRequest } from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import {
  accountFields,
  actionName,
  email,
  line,
  metadata,
  methodNames,
  optionalFingerprintFields,
  phone,
  text,
  userId,
} from '../../http/schemas/fields.js';
import { feedbackLabel, outcome } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { declaredAgent } from './judgement-schemas.js';

export const evaluateRequest = wireSchema<EvaluateRequest>()(
  'EvaluateRequest',
  z.object({
    action: actionName(),
    ...accountFields,
    ...optionalFingerprintFields,
    user_agent: text(2048)
      .optional()
      .openapi({ description: "The browser's `User-Agent` header, which is compared with the fingerprint." }),
    agent: declaredAgent.optional(),
    outcome: outcome()
      .optional()
      .openapi({
        description:
          '`failed` reports an attempt that your own checks rejected, such as a wrong password. It is judged and ' +
          'counted, and has no other effect. The user need not exist. Default: `succeeded`.',
      }),
    completed_challenge: line(64)
      .optional()
      .openapi({
        description:
          'ID of a challenge that this browser completed. Accepted once, within 10 minutes after completion, for the ' +
          'same user, action, address and device; without a readable fingerprint, the challenged request must have had ' +
          'none either. The request is then not challenged again. Otherwise, it is ignored.',
      }),
    methods: methodNames(),
  }),
  {
    action: 'login',
    user: example.user,
    fingerprint: example.fingerprint,
    last_fingerprint: example.fingerprint,
    ip: example.ip,
    metadata: { plan: 'family' },
    proof: example.proof,
  },
);

export const consumeRequest = wireSchema<ConsumeRequest>()(
  'ConsumeRequest',
  z.object({
    user: userId(),
    action: actionName(),
    email: email().optional(),
    phone: phone().optional(),
    metadata: metadata().optional().openapi({ description: 'Replaces the metadata that the page sent.' }),
    agent: declaredAgent.optional(),
    methods: methodNames(),
    outcome: outcome()
      .optional()
      .openapi({
        description:
          '`failed` if your own checks rejected the action: the attempt is counted, and has no other effect. An attempt ' +
          'that the page reported as failed can only be consumed as failed. Default: `succeeded`.',
      }),
  }),
  { user: example.user, action: 'login', email: 'ada@example.com' },
);

export const feedbackRequest = wireSchema<FeedbackRequest>()(
  'FeedbackRequest',
  z.object({ label: feedbackLabel(), note: text(2000).optional() }),
  { label: 'fraud', note: 'Charged back.' },
);
