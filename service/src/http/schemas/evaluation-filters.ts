import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { filterField } from './filter-field.js';
import { momentFields } from './query.js';

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
  below_score: filterField(evaluationFilters.below_score),
  label: filterField(evaluationFilters.label),
  challenge: filterField(evaluationFilters.challenge),
  matched_by: filterField(evaluationFilters.matched_by),
  rule: filterField(evaluationFilters.rule),
  tag: filterField(evaluationFilters.tag),
  ...momentFields,
};
