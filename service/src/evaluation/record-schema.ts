import { z } from '@hono/zod-openapi';
import type { ConsumeAnswer, EvaluationRecord, ReasonEvidence } from 'whorl/wire';
import { example } from '../http/schemas/examples.js';
import { storedMetadata } from '../http/schemas/metadata.js';
import { challengeUrl, masked, timestamp, uuid } from '../http/schemas/text.js';
import { feedbackLabel, matchedBy, proofOutcome, reason, strength, verdict } from '../http/schemas/vocabulary.js';
import { warnings } from '../http/schemas/warnings.js';
import { wireSchema } from '../http/schemas/wire-schema.js';

const evidenceExample: ReasonEvidence = { reason: 'new_device', evidence: { attached: 1 } };

export const reasonEvidence = wireSchema<ReasonEvidence>()(
  'ReasonEvidence',
  z.object({ reason: reason(), strength: strength().optional(), evidence: z.record(z.string(), z.unknown()) }),
  evidenceExample,
);

const recordExample: EvaluationRecord = {
  evaluation_id: example.evaluation,
  action: 'login',
  user: example.user,
  user_id: example.userId,
  fingerprint: example.fingerprint,
  ip: example.ip,
  metadata: {},
  verdict: 'challenge',
  reasons: ['new_device'],
  evidence: [evidenceExample],
  fingerprint_id: example.identity,
  device_id: example.device,
  challenge_id: example.challenge,
  confidence: 1,
  matched_by: 'new',
  changed: [],
  claimed: false,
  createdAt: example.now,
};

export const evaluationRecord = wireSchema<EvaluationRecord>()(
  'EvaluationRecord',
  z.object({
    evaluation_id: uuid(),
    action: z.string(),
    user: z.string(),
    user_id: uuid().optional(),
    fingerprint: z.string(),
    last_fingerprint: z.string().optional(),
    version: z.string().optional(),
    ip: z.string().optional(),
    email: masked().optional(),
    phone: masked().optional(),
    user_agent: z.string().optional(),
    metadata: storedMetadata(),
    verdict: verdict(),
    observed_verdict: verdict().optional(),
    reasons: z.array(reason()),
    evidence: z.array(reasonEvidence),
    fingerprint_id: uuid(),
    device_id: uuid().optional(),
    device_token: z.string().optional().openapi({ description: 'Only in the response to consuming the evaluation.' }),
    challenge_id: uuid().optional(),
    challenge_url: challengeUrl().openapi({
      description: 'As in an evaluation; only in the response to consuming it.',
    }),
    confidence: z.number(),
    matched_by: matchedBy(),
    changed: z.array(z.string()),
    claimed: z.boolean(),
    proof: proofOutcome().optional().openapi({ description: "Outcome of the request's proof." }),
    consumed_at: timestamp().optional(),
    feedback: z.object({ label: feedbackLabel(), note: z.string().optional() }).optional(),
    createdAt: timestamp(),
  }),
  recordExample,
);

export const consumeAnswer = wireSchema<ConsumeAnswer>()(
  'ConsumeAnswer',
  evaluationRecord.extend({ warnings: warnings() }),
  recordExample,
);
