import { z } from '@hono/zod-openapi';
import type {
  ClaimedEvaluation,
  ConsumeRequest,
  ConsumeResponse,
  CursorPage,
  DecidedBy,
  DeclaredAgent,
  EvaluateRequest,
  Evaluation,
  EvaluationRecord,
  EvaluationsQuery,
  FeedbackRequest,
  ReasonEvidence,
  Risk,
} from 'whorl/wire';
import { columns } from '../../ground/vocabulary.js';
import { addressExample, addressInfo } from '../../http/schemas/addresses.js';
import { evaluationFilterFields } from '../../http/schemas/evaluation-filters.js';
import { example } from '../../http/schemas/examples.js';
import {
  accountFields,
  actionName,
  challengeUrl,
  email,
  hardwareFields,
  hardwareUsers,
  line,
  masked,
  metadata,
  methodNames,
  optionalFingerprintFields,
  phone,
  storedMetadata,
  tags,
  text,
  timestamp,
  userId,
  uuid,
} from '../../http/schemas/fields.js';
import { type CompleteCursor, cursor, inOrder, pageQueryFields, wrongOrder } from '../../http/schemas/query.js';
import { warnings } from '../../http/schemas/responses.js';
import {
  agentProblem,
  effect,
  excuse,
  feedbackLabel,
  matchedBy,
  outcome,
  proofOutcome,
  reason,
  riskFact,
  ruleEffect,
  strength,
  verdict,
} from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { recognitionExample, recognitionFields } from '../devices/schemas.js';

const agentExample: DeclaredAgent = { name: 'shopping-agent', verified: true };

const declaredAgent = wireSchema<DeclaredAgent>()(
  'DeclaredAgent',
  z.object({
    name: line(256).openapi({ description: 'Your name for a known agent, otherwise the host that it names.' }),
    verified: z.boolean().openapi({ description: 'Whether a key of the agent signed the request.' }),
    problem: agentProblem().optional().openapi({ description: 'Why it is not verified.' }),
  }),
  agentExample,
);

const evidenceExample: ReasonEvidence = { reason: 'new_device', evidence: { attached: 1 } };

export const reasonEvidence = wireSchema<ReasonEvidence>()(
  'ReasonEvidence',
  z.object({ reason: reason(), strength: strength().optional(), evidence: z.record(z.string(), z.unknown()) }),
  evidenceExample,
);

const decidedByExample: DecidedBy = {
  reasons: [{ reason: 'new_device', effect: 'challenge', policy: { action: 'login', overridden: false } }],
  outweighed: [],
  excused: [],
};

const effectiveReason = {
  reason: reason(),
  effect: effect(),
  rule: z.string().optional().openapi({ description: 'Name of the rule, for the reason `rule`.' }),
  policy: z.object({
    action: z
      .enum(columns)
      .openapi({ description: 'Column of the policy table. Other actions are judged as `login`.' }),
    condition: z
      .string()
      .optional()
      .openapi({ description: 'Condition of the cell, such as `proven, 3 or more`. Absent if it has none.' }),
    overridden: z.boolean().openapi({ description: 'Whether the project replaced the cell.' }),
  }),
};

const decidedBy = wireSchema<DecidedBy>()(
  'DecidedBy',
  z.object({
    reasons: z.array(z.object(effectiveReason)).openapi({ description: 'The reasons that decided the verdict.' }),
    outweighed: z
      .array(z.object(effectiveReason))
      .openapi({ description: 'Reasons that did not matter, because another one denied the action.' }),
    excused: z.array(z.object({ ...effectiveReason, effect: ruleEffect(), excused_by: z.array(excuse()) })).openapi({
      description: 'Reasons whose effect was made milder, with the effect in the policy, and what made it milder.',
    }),
  }),
  decidedByExample,
);

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

const riskExample: Risk = {
  score: 0.55,
  bits: -7.5,
  contributions: [
    { fact: 'prior', bits: -10.58, text: 'What is expected of any login.' },
    { fact: 'device', bits: 3.08, text: 'The user never had this system and browser.' },
  ],
};

export const risk = wireSchema<Risk>()(
  'Risk',
  z.object({
    score: z.number().openapi({ description: 'A probability in per cent, 0 to 100, rounded to two decimals.' }),
    bits: z.number().openapi({
      description:
        'The sum of all contributions: `score = 100 / (1 + 2^-bits)`. Sort by it: scores near 0 look the same.',
    }),
    contributions: z.array(z.object({ fact: riskFact(), bits: z.number(), text: z.string() })),
  }),
  riskExample,
);

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

/** Response for a secret key or a publishable key. */
export const anyEvaluation = z.union([evaluation, claimedEvaluation]);

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
