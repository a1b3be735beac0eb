import { html } from 'hono/html';
import type { ListEffect, ListEntry, ListKind } from 'whorl/wire';
import { listEffects, listKinds } from '../../ground/vocabulary.js';
import type { DashboardRequest } from '../dashboard-request.js';
import { addressLink, deviceLink, subjectLink, unbroken } from '../view/cells.js';
import { foldable } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import {
  badge,
  type Cell,
  emptyState,
  field,
  form,
  type Html,
  hidden,
  section,
  table,
  time,
  wholeNumber,
} from '../view/parts.js';
import { listEffectWords, listKindWords } from '../view/words.js';

/** An example of the values of each kind. */
const examples: Readonly<Record<ListKind, string>> = {
  device: 'the ID of a device',
  hardware: 'the hardware ID of an evaluation',
  user: 'your ID of the user',
  address: '198.51.100.7 or 198.51.100.0/24',
  asn: '64496',
  country: 'DE',
  email_domain: 'example.com, with its subdomains',
};

/** Values of a form that was refused. */
export interface ListsEntry {
  readonly kind?: ListKind;
  readonly effect?: ListEffect;
  readonly value?: string;
  readonly note?: string;
  readonly expires?: string;
  readonly error?: string;
  readonly csv?: string;
  readonly csvError?: string;
}

interface ListsFilter {
  readonly kind?: ListKind | undefined;
  readonly effect?: ListEffect | undefined;
  readonly value?: string | undefined;
  readonly history?: 'on' | undefined;
}

interface ListsView {
  readonly entries: readonly ListEntry[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly filter: ListsFilter;
  /** Names of actors. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
  readonly entry: ListsEntry;
}

type Place = Pick<DashboardRequest, 'base' | 'formToken' | 'can'>;

/** Renders the entries with a filter, and forms to add, import and export some. */
export function listsPage(place: Place, view: ListsView): DashboardPage {
  const { entry } = view;
  const isRefused = entry.error !== undefined || entry.csvError !== undefined;
  return {
    title: 'Lists',
    section: 'lists',
    body: html`<p class="quiet">Entries apply to the live and the test mode of the project. An entry that has ended stays in the history.</p>
${filterForm(place, view.filter)}
${section('Entries', entriesPart(place, view))}
${place.can('act') && [section('Add an entry', addForm(place, view)), section('Import', importForm(place, entry))]}
${place.can('export_lists') && section('Export', form(place, { action: `${place.base}/lists/export`, submit: 'Download the entries that are in effect (CSV)' }))}`,
    ...(isRefused && { status: 422 }),
  };
}

const kindChoices = listKinds.map((value) => ({ value, label: listKindWords[value] }));
const effectChoices = listEffects.map((value) => ({ value, label: listEffectWords[value] }));

function filterForm({ base }: Place, { kind, effect, value, history }: ListsFilter): Html {
  const any = (label: string) => ({ value: '', label });
  return foldable(html`<form class="panel row" method="get" action="${base}/lists" role="search">
${field({ type: 'choice', name: 'kind', id: 'filter-kind', label: 'Kind', value: kind ?? '', options: [any('All kinds'), ...kindChoices] })}
${field({ type: 'choice', name: 'effect', id: 'filter-effect', label: 'Effect', value: effect ?? '', options: [any('All effects'), ...effectChoices] })}
${field({ name: 'value', id: 'filter-value', label: 'Value', type: 'search', value })}
${field({ type: 'switch', name: 'history', label: 'History', value: history === 'on' })}
<button type="submit" class="primary">Filter</button>
</form>`);
}

function entriesPart(place: Place, view: ListsView): Html {
  const { entries, total, now } = view;
  if (entries.length === 0) return emptyState('No entries found.');
  const rows = entries.map((entry) => rowOf(place, view, entry));
  const columns = ['Kind', 'Value', 'Effect', 'Note', 'Added', 'Until', ...(place.can('act') ? ['Actions'] : [])];
  const count = `${wholeNumber(total)} ${total === 1 ? 'entry' : 'entries'}`;
  return html`<p class="quiet">${count}, at ${time(now)}.</p>
${table(columns, rows, 'Entries of lists')}
${pager(place, view)}`;
}

function rowOf(place: Place, { names, now, filter, page }: ListsView, entry: ListEntry): Cell[] {
  const { _id, kind, effect, note, created_at, created_by, expires_at, ended_at, ended_by } = entry;
  const isOver = ended_at !== undefined || (expires_at !== undefined && new Date(expires_at) <= now);
  const shade = (cell: Html | string) => (isOver ? html`<span class="quiet">${cell}</span>` : cell);
  const by = (actor: string) => names.get(actor) ?? actor;
  return [
    shade(listKindWords[kind]),
    shade(valueLink(place, entry)),
    isOver ? shade(effect) : badge(effect),
    note === undefined ? undefined : shade(note),
    shade(html`<span>${time(created_at)} by ${by(created_by)}</span>`),
    untilOf({ isOver, expires_at, ended_at, endedBy: ended_by === undefined ? undefined : by(ended_by) }),
    isOver || !place.can('act')
      ? undefined
      : form(place, {
          action: `${place.base}/lists/${_id}/end`,
          submit: 'End',
          small: true,
          content: hidden('back_list', String(queryOf(filter, page))),
        }),
  ];
}

/** Renders the value of an entry, with a link to its page if it has one. */
function valueLink(place: Place, { kind, value }: ListEntry): Html {
  if (kind === 'address') return html`${addressLink(place, value)}`;
  if (kind === 'device') return deviceLink(place, value, value);
  return kind === 'user' ? unbroken(value) : subjectLink(place, kind, value);
}

interface Until {
  readonly isOver: boolean;
  readonly expires_at: string | undefined;
  readonly ended_at: string | undefined;
  readonly endedBy: string | undefined;
}

function untilOf({ isOver, expires_at, ended_at, endedBy }: Until): Cell {
  if (ended_at !== undefined) return html`<span class="quiet">ended ${time(ended_at)} by ${endedBy}</span>`;
  if (expires_at === undefined) return undefined;
  return isOver ? html`<span class="quiet">expired ${time(expires_at)}</span>` : time(expires_at);
}

function queryOf(filter: ListsFilter, page: number): URLSearchParams {
  const query = new URLSearchParams(page > 1 ? { page: String(page) } : {});
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  return query;
}

/** Returns the path of a page of the entries that match a filter, within the world. */
export function listsPath(filter: ListsFilter, page: number): string {
  const query = queryOf(filter, page);
  return query.size > 0 ? `/lists?${query}` : '/lists';
}

function pager({ base }: Place, { total, page, pageSize, filter }: ListsView): Html | undefined {
  const linkTo = (number: number, rel: 'prev' | 'next', text: string) =>
    html`<a href="${base}${listsPath(filter, number)}" rel="${rel}">${text}</a>`;
  const links = [
    ...(page > 1 ? [linkTo(page - 1, 'prev', 'Newer entries')] : []),
    ...(page * pageSize < total ? [linkTo(page + 1, 'next', 'Older entries')] : []),
  ];
  return links.length > 0 ? html`<nav class="pager" aria-label="Pagination">${links}</nav>` : undefined;
}

function addForm(place: Place, { entry, filter }: ListsView): Html {
  const { kind = filter.kind, effect, value, note, expires, error } = entry;
  const values = listKinds.map((each) => `${listKindWords[each]}: ${examples[each]}`).join('. ');
  return form(place, {
    action: `${place.base}/lists`,
    submit: 'Add entry',
    content: [
      field({ type: 'choice', name: 'kind', label: 'Kind', value: kind, options: kindChoices }),
      field({ name: 'value', label: 'Value', value, required: true, maxLength: 300, hint: `${values}.`, error }),
      field({ type: 'choice', name: 'effect', label: 'Effect', value: effect, options: effectChoices }),
      field({ name: 'note', label: 'Note (optional)', value: note, maxLength: 500 }),
      field({ type: 'date', name: 'expires_at', label: 'Expires on (optional)', value: expires }),
    ],
  });
}

function importForm(place: Place, { csv, csvError }: ListsEntry): Html {
  return form(place, {
    action: `${place.base}/lists/import`,
    submit: 'Import',
    content: field({
      type: 'lines',
      name: 'csv',
      label: 'Comma-separated values',
      value: csv,
      error: csvError,
      hint: html`The first line is <code>kind,value,effect,note,expires_at</code>. If a line is invalid, nothing is added. For more than 256 KiB, use <code>whorl-service list import</code>.`,
    }),
  });
}
