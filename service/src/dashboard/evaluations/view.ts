import { html } from 'hono/html';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { type Position, type ScannedPart, start } from '../../ground/db/position-rules.js';
import type { FilterState } from '../filters/entered.js';
import { type FilteredListForm, filteredSection, filterForm } from '../filters/filter-view.js';
import { selectableTable } from '../many/select-view.js';
import { addressCell } from '../view/address.js';
import { evaluationLink, type Place, reasonList, scannedPager, userLink, verdicts } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, time } from '../view/parts.js';
import { actionWords } from '../view/words.js';

export interface EvaluationList {
  readonly part: ScannedPart<ListedEvaluationRow>;
  readonly from: Position;
  readonly filter: FilterState;
}

const form: FilteredListForm = {
  name: 'evaluations',
  table: evaluationFilters,
  first: ['verdict', 'reason', 'action', 'user', 'ip'],
  further: [
    ...['outcome', 'label', 'min_score', 'challenge', 'country', 'asn', 'address_kind', 'matched_by', 'rule'],
    ...['device_id', 'fingerprint_id', 'hardware_id'],
  ],
};

/** Renders evaluations, newest first, with filters. */
export function evaluationsPage(place: Place, { part, from, filter }: EvaluationList): DashboardPage {
  const path = `${place.base}/evaluations`;
  const pages = scannedPager(part, { path, name: 'from', isFirst: from === start, keep: filter.shown });
  const list =
    part.rows.length > 0
      ? evaluationsTable(place, part.rows)
      : emptyState('No evaluations found. Each evaluation that your server requests or consumes is listed here.');
  const body = html`${filterForm(place, form, filter)}${filteredSection(place, 'Newest evaluations', form, filter, [list, pages])}`;
  return { title: 'Evaluations', section: 'evaluations', body };
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
