import { z } from '@hono/zod-openapi';
import type {
  ClaimedEvaluation,
  ConsumeResponse,
  CursorPage,
  Evaluation,
  EvaluationRecord,
  EvaluationsQuery,
} from 'whorl/wire';
import { addressExample, addressInfo } from '../../http/schemas/addresses.js';
import { evaluationFilterFields } from '../../http/schemas/evaluation-filters.js';
import { example } from '../../http/schemas/examples.js';
import {
  challengeUrl,
  hardwareFields,
  hardwareUsers,
  masked,
  storedMetadata,
  tags,
  timestamp,
  uuid,
} from '../../http/schemas/fields.js';
import { type CompleteCursor, cursor, inOrder, pageQueryFields, wrongOrder } from '../../http/schemas/query.js';
import { warnings } from '../../http/schemas/responses.js';
import { feedbackLabel, matchedBy, outcome, proofOutcome, reason, verdict } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { recognitionExample, recognitionFields } from '../devices/recognition-schemas.js';
import {
  decidedBy,
  decidedByExample,
  declaredAgent,
  evidenceExample,
  reasonEvidence,
  risk,
} from './judgement-schemas.js';

const recordExample: EvaluationRecord = {
  evaluation_id: example.evaluation,
  action: 'login',
  user: example.user,
  user_id: example.userId,
  fingerprint: example.fingerprint,
  ip: example.ip,
  address: addressExample,
  metadata: {},
  outcome: 'succeeded',
  verdict: 'challenge',
  reasons: ['new_device'],
  decided_by: decidedByExample,
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
    user: z.string().optional().openapi({ description: 'Absent for a failed attempt of a user that did not exist.' }),
    user_id: uuid().optional(),
    fingerprint: z.string().optional().openapi({ description: 'Absent if the request had none.' }),
    last_fingerprint: z.string().optional(),
    version: z.string().optional(),
    ip: z.string().optional(),
    address: addressInfo.optional(),
    email: masked().optional(),
    phone: masked().optional(),
    user_agent: z.string().optional(),
    agent: declaredAgent.optional(),
    methods: z.array(z.string()).optional(),
    metadata: storedMetadata(),
    outcome: outcome(),
    verdict: verdict(),
    observed_verdict: verdict().optional(),
    alternative_verdict: verdict().optional(),
    risk: risk.optional(),
    reasons: z.array(reason()),
    decided_by: decidedBy.optional(),
    evidence: z.array(reasonEvidence),
    tags: tags(),
    fingerprint_id: uuid(),
    ...hardwareFields,
    hardware_users_today_at_network: hardwareUsers(),
    device_id: uuid().optional(),
    device_token: z
      .string()
      .optional()
      .openapi({ description: 'Present only in the response to consuming the evaluation.' }),
    challenge_id: uuid().optional(),
    challenge_url: challengeUrl().openapi({
      description: 'URL of the challenge page. Present only in the response to consuming the evaluation.',
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

export const evaluationsQuery = wireSchema<CompleteCursor<EvaluationsQuery>>()(
  'EvaluationsQuery',
  z
    .strictObject({ ...evaluationFilterFields, cursor: cursor(), limit: pageQueryFields.limit })
    .refine(inOrder, wrongOrder),
  { verdict: 'deny', country: 'DE', limit: 10 },
);

export const evaluationsPage = wireSchema<CursorPage<EvaluationRecord>>()(
  'EvaluationsPage',
  z.object({
    data: z.array(evaluationRecord),
    next_cursor: z.string().optional().openapi({ description: 'Where the next page begins. Absent on the last page.' }),
  }),
  { data: [recordExample] },
);

export const consumeResponse = wireSchema<ConsumeResponse>()(
  'ConsumeResponse',
  evaluationRecord.extend({ warnings: warnings() }),
  recordExample,
);

export const evaluation = wireSchema<Evaluation>()(
  'Evaluation',
  z.object({
    verdict: verdict(),
    reasons: z.array(reason()),
    decided_by: decidedBy,
    tags: tags(),
    challenge_id: uuid().optional().openapi({
      description: 'Present if the verdict is `challenge` or `challenge_and_restrict`, except for a failed attempt.',
    }),
    challenge_url: challengeUrl(),
    evaluation_id: uuid(),
    user_id: uuid().optional().openapi({
      description: 'Absent if the user is unknown and the verdict is `deny` or the attempt failed.',
    }),
    device_id: uuid().optional(),
    device_token: z.string().optional(),
    ...recognitionFields,
    ...hardwareFields,
    hardware_users_today_at_network: hardwareUsers(),
    observed_verdict: verdict().optional(),
    alternative_verdict: verdict().optional(),
    risk: risk.optional(),
    address: addressInfo.optional(),
    warnings: warnings(),
  }),
  {
    verdict: 'challenge',
    reasons: ['new_device', 'new_ip'],
    decided_by: decidedByExample,
    challenge_id: example.challenge,
    evaluation_id: example.evaluation,
    user_id: example.userId,
    device_id: example.device,
    device_token: example.deviceToken,
    ...recognitionExample,
    address: addressExample,
  },
);

const claimedEvaluation = wireSchema<ClaimedEvaluation>()(
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

/** Response for a secret key or a publishable key. */
export const anyEvaluation = z.union([evaluation, claimedEvaluation]);
