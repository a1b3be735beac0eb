import { z } from '@hono/zod-openapi';
import { evaluationFilters, type Filter } from '../../evaluation/search/rules/filters.js';
import { momentFields } from './query.js';

/** Longest value of any filter, with room for spaces around it. */
const maxLength = 300;

/** Returns the schema of a query parameter that is a filter. */
function filterField<Value extends string | number>({ form, description, example, choices, read }: Filter<Value>) {
  return z
    .string()
    .transform((text, context): Value => {
      const value = text.length <= maxLength ? read(text) : undefined;
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${form}` });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: typeof example === 'number' ? 'number' : 'string',
      description,
      ...(choices ? { enum: [...choices] } : { example }),
    });
}

/** Query parameters that filter evaluations. */
export const evaluationFilterFields = {
  verdict: filterField(evaluationFilters.verdict),
  reason: filterField(evaluationFilters.reason),
  action: filterField(evaluationFilters.action),
  outcome: filterField(evaluationFilters.outcome),
  user: filterField(evaluationFilters.user),
  user_id: filterField(evaluationFilters.user_id),
  device_id: filterField(evaluationFilters.device_id),
  fingerprint_id: filterField(evaluationFilters.fingerprint_id),
  hardware_id: filterField(evaluationFilters.hardware_id),
  ip: filterField(evaluationFilters.ip),
  country: filterField(evaluationFilters.country),
  asn: filterField(evaluationFilters.asn),
  address_kind: filterField(evaluationFilters.address_kind),
  min_score: filterField(evaluationFilters.min_score),
  label: filterField(evaluationFilters.label),
  challenge: filterField(evaluationFilters.challenge),
  matched_by: filterField(evaluationFilters.matched_by),
  rule: filterField(evaluationFilters.rule),
  ...momentFields,
};
