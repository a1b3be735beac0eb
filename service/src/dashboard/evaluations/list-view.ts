import { html } from 'hono/html';
import { reasons } from '../../evaluation/rules/vocabulary.js';
import { type Position, start } from '../position-rules.js';
import type { ScannedPart } from '../scanned-part.js';
import { reasonList, verdicts } from '../view/facts.js';
import type { DashboardPage } from '../view/layout.js';
import { evaluationLink, type Place, userLink, whole } from '../view/links.js';
import { emptyState, field, type Html, section, table, time } from '../view/parts.js';
import { scannedWayOn } from '../view/scanned.js';
import { spaced, verdictWords } from '../view/words.js';
import type { ListedEvaluationRow } from './queries.js';

/** What the list is narrowed to, as it stands in the address. */
export interface EvaluationQuery {
  readonly verdict?: string | undefined;
  readonly reason?: string | undefined;
  readonly action?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Evaluations, newest first, with filters. */
export function evaluationsPage(
  place: Place,
  part: ScannedPart<ListedEvaluationRow>,
  { query, from }: { readonly query: EvaluationQuery; readonly from: Position },
): DashboardPage {
  const path = `${place.base}/evaluations`;
  const list = part.rows.length > 0 ? evaluationsTable(place, part.rows) : emptyState('No evaluations.');
  const way = scannedWayOn(part, { path, name: 'from', isFirst: from === start, keep: { ...query } });
  const body = html`${filters(path, query)}${section('Newest', html`${list}${way}`)}`;
  return { title: 'Evaluations', section: 'evaluations', body };
}

function filters(path: string, { verdict, reason, action, start_date, end_date }: EvaluationQuery): Html {
  const choice = (name: string, label: string, value: string | undefined, values: readonly string[]) =>
    field({
      type: 'choice',
      name,
      label,
      value: value ?? '',
      options: [{ value: '', label: 'any' }, ...values.map((one) => ({ value: one, label: spaced(one) }))],
    });
  return html`<form class="panel filters" method="get" action="${path}" role="search">
${choice('verdict', 'Verdict', verdict, Object.keys(verdictWords))}
${choice('reason', 'Reason', reason, reasons)}
${field({ name: 'action', label: 'Action', value: action, maxLength: 64 })}
${field({ type: 'date', name: 'start_date', label: 'From', value: start_date })}
${field({ type: 'date', name: 'end_date', label: 'To', value: end_date })}
<button type="submit" class="primary">Show</button>
</form>`;
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, spaced(row.action)),
    userLink(place, row.user_id, row.external_user),
    html`<span>${verdicts(row.verdict, row.observed_verdict)}${noteOf(row)}</span>`,
    reasonList(row.reasons),
    whole(row.ip),
  ]);
  return table(['When', 'Action', 'User', 'Verdict', 'Reasons', 'Address'], rows, 'Evaluations');
}

function noteOf({ feedback_label }: ListedEvaluationRow): string {
  return feedback_label ? ` ${feedback_label}` : '';
}
