import { html } from 'hono/html';
import { type Position, type ScannedPart, start } from '../../ground/db/position-rules.js';
import type { ViewedList } from '../../ground/vocabulary.js';
import type { Filter, FilterTable } from '../../resources/filters/rules/filter.js';
import { type Place, scannedPager } from '../view/cells.js';
import { foldable } from '../view/forms.js';
import { emptyState, field, type Html, hidden, section } from '../view/parts.js';
import { type FilterState, isMoment } from './entered.js';
import { saveForm, viewTabs } from './views-view.js';
import { choiceText, titleOf, valueText } from './words.js';

/** A list with filters: the last part of its path, and its filters in the order of its form. */
export interface FilteredListForm {
  readonly name: ViewedList;
  readonly table: FilterTable;
  /** Filters that are always visible. */
  readonly first: readonly string[];
  /** Filters that unfold. */
  readonly further: readonly string[];
}

/** Part of a list, and the filters that it was read with. */
export interface FilteredList<Row> {
  readonly part: ScannedPart<Row>;
  readonly from: Position;
  readonly filter: FilterState;
}

/** Renders the filters of a list and, under a title, its rows with a pager and a form to download them. */
export function filteredList(
  place: Place,
  form: FilteredListForm,
  { part, from, filter }: FilteredList<unknown>,
  { title, rows }: { readonly title: string; readonly rows: Html },
): Html {
  const options = { path: `${place.base}/${form.name}`, name: 'from', isFirst: from === start, keep: filter.shown };
  const list = [rows, scannedPager(part, options)];
  return html`${viewTabs(place, form.name, form.table, filter)}${filterForm(place, form, filter)}${filteredSection(place, title, form, filter, list)}`;
}

/** Renders the form of the filters, and those that are set, each with a link that removes it. */
function filterForm(place: Place, list: FilteredListForm, state: FilterState): Html {
  const { name, first, further } = list;
  const { shown, errors } = state;
  const path = `${place.base}/${name}`;
  const fieldOf = (one: string) => filterField(list.table, one, state);
  const isUnfolded = further.some((one) => shown[one] !== undefined);
  const more = html`<details class="more"${isUnfolded && ' open'}><summary>More filters</summary>
<div class="filters">${further.map(fieldOf)}</div></details>`;
  const form = html`<form class="panel" method="post" action="${path}/filter" role="search">
<input type="hidden" name="csrf" value="${place.formToken}"/>
${shown.user_id !== undefined && hidden('user_id', shown.user_id)}
<div class="filters">${first.map(fieldOf)}${['start_date', 'end_date'].map(fieldOf)}</div>
${more}
<button type="submit" class="primary">Filter</button>
</form>`;
  return html`${foldable(form, { isOpen: errors.length > 0 })}${setFilters(list.table, path, state)}${saveForm(place, list, state)}`;
}

function filterField(table: FilterTable, name: string, { shown, typed, errors }: FilterState): Html {
  const message = errors.find(({ path }) => path === name)?.message;
  const error = message && `It ${message.replaceAll('`', '')}.`;
  const common = { name, label: titleOf(table, name), value: shown[name] ?? '', error };
  if (isMoment(table, name)) return momentField(common);
  const { choices, isContact }: Partial<Filter<unknown>> = table[name] ?? {};
  if (isContact) return contactField(common, error === undefined ? shown[name] : undefined, typed[name]);
  if (!choices) return field({ ...common, maxLength: 300 });
  const options = choices.map((value) => ({ value: String(value), label: choiceText(name, String(value)) }));
  return field({ ...common, type: 'choice', options: [{ value: '', label: 'any' }, ...options] });
}

/** Renders the field of a date. A time of day, which it cannot show, stays until another date is chosen. */
function momentField(common: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
}): Html {
  const date = common.value.slice(0, 10);
  const kept = common.value !== date && hidden(common.name, common.value);
  return html`${field({ ...common, type: 'date', value: date })}${kept}`;
}

/** Renders the field of a contact. A valid one is not shown again: the sealed value stays until another is typed. */
function contactField(
  common: { readonly name: string; readonly label: string; readonly error: string | undefined },
  sealed: string | undefined,
  typed: string | undefined,
): Html {
  const value = sealed === undefined ? (typed ?? '') : '';
  const kept = sealed !== undefined && hidden(common.name, sealed);
  return html`${field({ ...common, value, maxLength: 320 })}${kept}`;
}

function setFilters(table: FilterTable, path: string, { shown, typed, errors }: FilterState): Html | undefined {
  const names = Object.keys(shown);
  if (names.length === 0) return undefined;
  const without = (removed: string) => {
    const query = new URLSearchParams(Object.entries(shown).filter(([name]) => name !== removed));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  const chip = (name: string) => {
    const isWrong = errors.some((error) => error.path === name);
    const value = typed[name] ?? '';
    const text = isWrong ? `${value} (not valid)` : valueText(table, name, value);
    return html`<li><a href="${without(name)}" title="Remove this filter"><span class="long">${titleOf(table, name)}: ${text}</span> <span aria-hidden="true">×</span><span class="unseen">, remove this filter</span></a></li>`;
  };
  return html`<ul class="plain row chips" aria-label="Filters that are set">${names.map(chip)}</ul>`;
}

/** Renders a section with the rows that were found, or says that a filter is not valid. */
function filteredSection(
  place: Place,
  title: string,
  { name }: FilteredListForm,
  { shown, errors }: FilterState,
  list: readonly (Html | undefined)[],
): Html {
  const wrong = emptyState('A filter is not valid, so nothing is listed. Correct the filter, or remove it.');
  return section(title, errors.length > 0 ? wrong : [...list, exportForm(place, name, shown)]);
}

function exportForm(place: Place, name: string, shown: FilterState['shown']): Html | undefined {
  if (!place.can('export_lists')) return undefined;
  const hiddenFields = Object.entries({ ...shown, csrf: place.formToken }).map(([one, value]) => hidden(one, value));
  return html`<form method="post" action="${place.base}/${name}/export" class="plain row">${hiddenFields}
<span>Download all that match:</span> <button type="submit" name="format" value="csv">CSV</button> <button type="submit" name="format" value="jsonl">JSON lines</button></form>`;
}
