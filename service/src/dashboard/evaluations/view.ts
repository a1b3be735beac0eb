import { html } from 'hono/html';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { type FilteredList, type FilteredListForm, filteredList } from '../filters/filter-view.js';
import { selectableTable } from '../many/select-view.js';
import { addressCell } from '../view/address.js';
import { evaluationLink, foundCell, type Place, userLink, verdicts } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, time } from '../view/parts.js';
import { actionWords } from '../view/words.js';

const form: FilteredListForm = {
  name: 'evaluations',
  table: evaluationFilters,
  first: ['verdict', 'reason', 'action', 'user', 'ip'],
  further: [
    ...[
      'outcome',
      'label',
      'min_score',
      'below_score',
      'challenge',
      'country',
      'asn',
      'address_kind',
      'matched_by',
      'rule',
      'tag',
    ],
    ...['device_id', 'fingerprint_id', 'hardware_id'],
  ],
};

/** Renders evaluations, newest first, with filters. */
export function evaluationsPage(place: Place, shown: FilteredList<ListedEvaluationRow>): DashboardPage {
  const list =
    shown.part.rows.length > 0
      ? evaluationsTable(place, shown.part.rows)
      : emptyState('No evaluations found. Each evaluation that your server requests or consumes is listed here.');
  const body = html`${filteredList(place, form, shown, { title: 'Newest evaluations', rows: list })}`;
  return { title: 'Evaluations', section: 'evaluations', body };
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, actionWords(row.action, row.outcome)),
    userLink(place, row.user_id, row.external_user),
    html`<span>${verdicts(row.verdict, row.observed_verdict)}${noteOf(row)}</span>`,
    foundCell(place, row),
    addressCell(row.ip, row.address, place),
  ]);
  const columns = ['Time', 'Action', 'User', 'Verdict', 'Reasons', 'IP address'];
  const ids = evaluations.map(({ id }) => id);
  return selectableTable(place, { source: 'evaluations', ids, columns, rows, caption: 'Evaluations' });
}

function noteOf({ feedback_label }: ListedEvaluationRow): string {
  return feedback_label ? ` ${feedback_label}` : '';
}
