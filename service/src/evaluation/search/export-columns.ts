import type { ExportColumns } from '../../resources/filters/rules/export-lines.js';
import type { ListedEvaluationRow } from './queries.js';

/** Columns of exported evaluations. */
export const evaluationColumns: ExportColumns<ListedEvaluationRow> = {
  evaluation_id: ({ id }) => id,
  createdAt: ({ created_at }) => created_at,
  user: ({ external_user }) => external_user,
  user_id: ({ user_id }) => user_id,
  device_id: ({ device_id }) => device_id,
  fingerprint_id: ({ identity_id }) => identity_id,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  verdict: ({ verdict }) => verdict,
  observed_verdict: ({ observed_verdict }) => observed_verdict,
  reasons: ({ reasons }) => reasons,
  tags: ({ tags }) => tags,
  shadow_rules: ({ shadow_rules }) => shadow_rules,
  score: ({ risk_score }) => risk_score,
  ip: ({ ip }) => ip,
  country: ({ address }) => address?.country,
  asn: ({ address }) => address?.asn,
  organisation: ({ address }) => address?.organisation,
  address_kind: ({ address }) => address?.kind,
  matched_by: ({ matched_by }) => matched_by,
  challenge_id: ({ challenge_id }) => challenge_id,
  label: ({ feedback_label }) => feedback_label,
};
