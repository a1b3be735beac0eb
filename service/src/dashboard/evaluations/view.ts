import { html } from 'hono/html';
import { type Position, type ScannedPart, start } from '../../ground/db/position-rules.js';
import { reasons } from '../../ground/vocabulary.js';
import { selectableTable } from '../many/select-view.js';
import { addressCell } from '../view/address.js';
import { evaluationLink, type Place, reasonList, scannedPager, userLink, verdicts } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, field, type Html, section, time } from '../view/parts.js';
import { actionWords, spaced, verdictWords } from '../view/words.js';
import type { ListedEvaluationRow } from './queries.js';

/** Filter of the list, as in the URL. */
export interface EvaluationQuery {
  readonly verdict?: string | undefined;
  readonly reason?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Renders evaluations, newest first, with filters. */
export function evaluationsPage(
  place: Place,
  part: ScannedPart<ListedEvaluationRow>,
  { query, from }: { readonly query: EvaluationQuery; readonly from: Position },
): DashboardPage {
  const path = `${place.base}/evaluations`;
  const list =
    part.rows.length > 0
      ? evaluationsTable(place, part.rows)
      : emptyState('No evaluations found. Each evaluation that your server requests or consumes is listed here.');
  const pages = scannedPager(part, { path, name: 'from', isFirst: from === start, keep: { ...query } });
  const body = html`${filters(path, query)}${section('Newest evaluations', html`${list}${pages}`)}`;
  return { title: 'Evaluations', section: 'evaluations', body };
}

function filters(path: string, { verdict, reason, action, outcome, start_date, end_date }: EvaluationQuery): Html {
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
${choice('outcome', 'Attempt', outcome, ['succeeded', 'failed'])}
${field({ name: 'action', label: 'Action', value: action, maxLength: 64 })}
${field({ type: 'date', name: 'start_date', label: 'From', value: start_date })}
${field({ type: 'date', name: 'end_date', label: 'To', value: end_date })}
<button type="submit" class="primary">Filter</button>
</form>`;
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, actionWords(row.action, row.outcome)),
    userLink(place, row.user_id, row.external_user),
    html`<span>${verdicts(row.verdict, row.observed_verdict)}${noteOf(row)}</span>`,
    reasonList(row.reasons),
    addressCell(row.ip, row.address),
  ]);
  const columns = ['Time', 'Action', 'User', 'Verdict', 'Reasons', 'IP address'];
  const ids = evaluations.map(({ id }) => id);
  return selectableTable(place, { source: 'evaluations', ids, columns, rows, caption: 'Evaluations' });
}

function noteOf({ feedback_label }: ListedEvaluationRow): string {
  return feedback_label ? ` ${feedback_label}` : '';
}
