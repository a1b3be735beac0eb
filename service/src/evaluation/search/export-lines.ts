import { csvLine } from '../../ground/csv-rules.js';
import type { ListedEvaluationRow } from './queries.js';

export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Columns of an export, each with its value. Undefined and null are left out. */
const columns = {
  evaluation_id: ({ id }) => id,
  createdAt: ({ created_at }) => created_at.toISOString(),
  user: ({ external_user }) => external_user,
  user_id: ({ user_id }) => user_id,
  device_id: ({ device_id }) => device_id,
  fingerprint_id: ({ identity_id }) => identity_id,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  verdict: ({ verdict }) => verdict,
  observed_verdict: ({ observed_verdict }) => observed_verdict,
  reasons: ({ reasons }) => reasons,
  score: ({ risk_score }) => risk_score,
  ip: ({ ip }) => ip,
  country: ({ address }) => address?.country,
  asn: ({ address }) => address?.asn,
  organisation: ({ address }) => address?.organisation,
  address_kind: ({ address }) => address?.kind,
  matched_by: ({ matched_by }) => matched_by,
  challenge_id: ({ challenge_id }) => challenge_id,
  label: ({ feedback_label }) => feedback_label,
} as const satisfies Readonly<
  Record<string, (row: ListedEvaluationRow) => string | number | readonly string[] | null | undefined>
>;

const valuesOf = (row: ListedEvaluationRow) =>
  Object.entries(columns).map(([name, read]) => [name, read(row) ?? undefined] as const);

/** Text before the evaluations. */
export const firstLine: Readonly<Record<ExportFormat, string>> = {
  csv: `${csvLine(Object.keys(columns))}\n`,
  jsonl: '',
};

/** Returns an evaluation as one line. */
export const lineOf: Readonly<Record<ExportFormat, (row: ListedEvaluationRow) => string>> = {
  csv: (row) =>
    csvLine(valuesOf(row).map(([, value]) => (Array.isArray(value) ? value.join(' ') : String(value ?? '')))),
  jsonl: (row) => JSON.stringify(Object.fromEntries(valuesOf(row))),
};
