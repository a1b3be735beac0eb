import { html } from 'hono/html';
import type { ViewedList } from '../../ground/vocabulary.js';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { isSameFilter, isUnderstood, maxViewName, type ViewFilter } from '../../resources/filters/rules/saved-views.js';
import type { SavedView } from '../../resources/filters/views.js';
import type { Place } from '../view/cells.js';
import { type Tab, tabs } from '../view/forms.js';
import { field, form, type Html, hidden } from '../view/parts.js';
import type { FilterState } from './entered.js';

/** Number of views that are visible above a list. The others unfold. */
const shownViews = 8;

/** Renders the views of a list as links, if it has any. */
export function viewTabs(
  { base, can }: Place,
  list: ViewedList,
  table: FilterTable,
  { shown, views }: FilterState,
): Html | undefined {
  if (views.length === 0) return undefined;
  const current = views.find(({ filter }) => isSameFilter(filter, shown));
  const isLong = views.length > shownViews;
  // The current one stays visible.
  const all = isLong && current ? [current, ...views.filter((view) => view !== current)] : views;
  const tab = (view: SavedView): Tab =>
    isUnderstood(table, view.filter)
      ? { text: view.name, href: listPath(base, list, view.filter), isCurrent: view === current }
      : { text: `${view.name} (not valid any more)`, href: managePath(base, list), isCurrent: false };
  const manage = can('act') ? [{ text: 'Manage views', href: managePath(base, list), isCurrent: false }] : [];
  const everything = { text: 'All', href: `${base}/${list}`, isCurrent: Object.keys(shown).length === 0 };
  const further = all.slice(shownViews);
  return html`${tabs('Views', [everything, ...all.slice(0, shownViews).map(tab), ...manage])}
${isLong && html`<details class="more"><summary>${further.length} more views</summary>${tabs('More views', further.map(tab))}</details>`}`;
}

/** Renders the form that saves the filters that are set, for members who may. */
export function saveForm(
  place: Place,
  { name: list }: { readonly name: ViewedList },
  { shown, errors, views }: FilterState,
): Html | undefined {
  const isSaved = views.some(({ filter }) => isSameFilter(filter, shown));
  if (Object.keys(shown).length === 0 || errors.length > 0 || isSaved || !place.can('act')) return undefined;
  return html`<details class="act more"><summary>Save as a view…</summary>${saveFields(place, { list, filter: shown })}</details>`;
}

/** Filters to save, and the name that was entered. */
export interface EnteredView {
  readonly list: ViewedList;
  readonly filter: ViewFilter;
  readonly name?: string;
  readonly replaces?: boolean;
  readonly error?: string;
}

export function saveFields(place: Place, { list, filter, name, replaces, error }: EnteredView): Html {
  return form(place, {
    action: `${place.base}/views`,
    submit: 'Save view',
    content: [
      html`${hidden('list', list)}${hidden('filter', String(new URLSearchParams(filter)))}`,
      field({
        name: 'name',
        id: 'view-name',
        label: 'Name of the view',
        value: name,
        required: true,
        maxLength: maxViewName,
        hint: 'All members of the project see it above the list.',
        error,
      }),
      field({ type: 'switch', name: 'replace', label: 'Replace the view of this name', value: replaces }),
    ],
  });
}

/** Returns the address of a list with filters. */
export function listPath(base: string, list: ViewedList, filter: ViewFilter): string {
  return `${base}/${list}?${new URLSearchParams(filter)}`;
}

function managePath(base: string, list: ViewedList): string {
  return `${base}/views?list=${list}`;
}
