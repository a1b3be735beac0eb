import { z } from '@hono/zod-openapi';
import type { DecidedBy, DeclaredAgent, ReasonEvidence, Risk } from 'whorl/wire';
import { columns } from '../../ground/vocabulary.js';
import { line } from '../../http/schemas/fields.js';
import { agentProblem, effect, excuse, reason, riskFact, ruleEffect, strength } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

const agentExample: DeclaredAgent = { name: 'shopping-agent', verified: true };

export const declaredAgent = wireSchema<DeclaredAgent>()(
  'DeclaredAgent',
  z.object({
    name: line(256).openapi({ description: 'Your name for a known agent, otherwise the host that it names.' }),
    verified: z.boolean().openapi({ description: 'Whether a key of the agent signed the request.' }),
    problem: agentProblem().optional().openapi({ description: 'Why it is not verified.' }),
  }),
  agentExample,
);

export const evidenceExample: ReasonEvidence = { reason: 'new_device', evidence: { attached: 1 } };

export const reasonEvidence = wireSchema<ReasonEvidence>()(
  'ReasonEvidence',
  z.object({ reason: reason(), strength: strength().optional(), evidence: z.record(z.string(), z.unknown()) }),
  evidenceExample,
);

export const decidedByExample: DecidedBy = {
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

export const decidedBy = wireSchema<DecidedBy>()(
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
