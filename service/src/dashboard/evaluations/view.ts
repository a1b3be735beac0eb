import { html } from 'hono/html';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { type Position, type ScannedPart, start } from '../../ground/db/position-rules.js';
import type { InputError } from '../../ground/errors.js';
import { selectableTable } from '../many/select-view.js';
import { addressCell } from '../view/address.js';
import { evaluationLink, type Place, reasonList, scannedPager, userLink, verdicts } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, section, time } from '../view/parts.js';
import { actionWords } from '../view/words.js';
import { filterForm, type ShownFilter } from './filter-view.js';

export interface EvaluationList {
  readonly part: ScannedPart<ListedEvaluationRow>;
  readonly from: Position;
  readonly shown: ShownFilter;
  /** Filters that are not valid. There are then no rows. */
  readonly errors: readonly InputError[];
}

/** Renders evaluations, newest first, with filters. */
export function evaluationsPage(place: Place, { part, from, shown, errors }: EvaluationList): DashboardPage {
  const path = `${place.base}/evaluations`;
  const pages = scannedPager(part, { path, name: 'from', isFirst: from === start, keep: shown });
  const list =
    part.rows.length > 0
      ? evaluationsTable(place, part.rows)
      : emptyState('No evaluations found. Each evaluation that your server requests or consumes is listed here.');
  const wrong = emptyState('A filter is not valid, so nothing is listed. Correct the filter, or remove it.');
  const body = html`${filterForm(place, shown, errors)}${section('Newest evaluations', errors.length > 0 ? wrong : [list, pages, exportForm(place, shown)])}`;
  return { title: 'Evaluations', section: 'evaluations', body, ...(errors.length > 0 && { status: 422 }) };
}

function exportForm(place: Place, shown: ShownFilter): Html | undefined {
  if (!place.can('export_evaluations')) return undefined;
  const hidden = Object.entries({ ...shown, csrf: place.formToken }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}"/>`,
  );
  return html`<form method="post" action="${place.base}/evaluations/export" class="plain row">${hidden}
<span>Download all that match:</span> <button type="submit" name="format" value="csv">CSV</button> <button type="submit" name="format" value="jsonl">JSON lines</button></form>`;
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, actionWords(row.action, row.outcome)),
    userLink(place, row.user_id, row.external_user),
    html`<span>${verdicts(row.verdict, row.observed_verdict)}${noteOf(row)}</span>`,
    reasonList(row.reasons),
    addressCell(row.ip, row.address, place),
  ]);
  const columns = ['Time', 'Action', 'User', 'Verdict', 'Reasons', 'IP address'];
  const ids = evaluations.map(({ id }) => id);
  return selectableTable(place, { source: 'evaluations', ids, columns, rows, caption: 'Evaluations' });
}

function noteOf({ feedback_label }: ListedEvaluationRow): string {
  return feedback_label ? ` ${feedback_label}` : '';
}
