import { html } from 'hono/html';
import { type ViewedList, viewedLists } from '../../ground/vocabulary.js';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { isUnderstood, maxViewName, type ViewFilter } from '../../resources/filters/rules/saved-views.js';
import type { SavedView } from '../../resources/filters/views.js';
import { type EnteredView, listPath, saveFields } from '../filters/views-view.js';
import { titleOf, valueText } from '../filters/words.js';
import type { Place } from '../view/cells.js';
import { confirmed, tabs } from '../view/forms.js';
import { type DashboardPage, sections } from '../view/layout.js';
import { type Cell, emptyState, field, form, type Html, hidden, section, table, time } from '../view/parts.js';

/** What was entered in a form that was refused. */
export interface ViewsEntry {
  readonly save?: EnteredView;
  readonly rename?: { readonly id: string; readonly name: string; readonly error: string };
}

interface ViewsView {
  readonly list: ViewedList;
  readonly table: FilterTable;
  readonly views: readonly SavedView[];
  /** Names of actors. */
  readonly names: ReadonlyMap<string, string>;
  readonly entry: ViewsEntry;
}

/** Renders the views of a list, with forms that rename and remove them. */
export function viewsPage(place: Place, view: ViewsView): DashboardPage {
  const { list, entry } = view;
  const lists = viewedLists.map((each) => ({
    text: sections[each].title,
    href: `${place.base}/views?list=${each}`,
    isCurrent: each === list,
  }));
  return {
    title: 'Views',
    section: list,
    body: html`<p class="quiet">A view is a set of filters under a name. All members of the project see it above the list, and analysts change it.</p>
${tabs('Lists', lists)}
${entry.save && section('Save a view', [filterWords(view.table, entry.save.filter), saveFields(place, entry.save)])}
${section(`Views of ${list}`, viewsPart(place, view))}
<p><a href="${place.base}/${list}">Back to ${list}</a></p>`,
    ...((entry.save || entry.rename) && { status: 422 }),
  };
}

function viewsPart(place: Place, view: ViewsView): Html {
  const { list, views } = view;
  if (views.length === 0) return emptyState(`No views. Filter the ${list}, and save the filters under a name.`);
  const columns = ['Name', 'Filters', 'Saved', ...(place.can('act') ? ['Actions'] : [])];
  return table(
    columns,
    views.map((each) => rowOf(place, view, each)),
    `Views of ${list}`,
  );
}

function rowOf(place: Place, { list, table, names, entry }: ViewsView, view: SavedView): Cell[] {
  const { id, name, filter, savedAt, savedBy } = view;
  const isValid = isUnderstood(table, filter);
  return [
    isValid ? html`<a href="${listPath(place.base, list, filter)}">${name}</a>` : name,
    isValid
      ? filterWords(table, filter)
      : html`<p class="error">This version does not know all of these filters, so the view is not applied. Save it again, or remove it.</p><p class="quiet">${new URLSearchParams(filter)}</p>`,
    html`<span>${time(savedAt)} by ${names.get(savedBy) ?? savedBy}</span>`,
    place.can('act') ? actions(place, list, view, entry.rename?.id === id ? entry.rename : undefined) : undefined,
  ];
}

function actions(place: Place, list: ViewedList, { id, name }: SavedView, refused: ViewsEntry['rename']): Html {
  const path = `${place.base}/views/${id}`;
  const rename = form(place, {
    action: `${path}/rename`,
    submit: 'Rename',
    content: [
      hidden('list', list),
      field({
        name: 'name',
        id: `name-${id}`,
        label: 'New name',
        value: refused?.name ?? name,
        required: true,
        maxLength: maxViewName,
        error: refused?.error,
      }),
    ],
  });
  return html`<div class="acts"><details class="act"${refused && ' open'}><summary>Rename…</summary>${rename}</details>
${confirmed(place, { name: 'Remove', effect: 'No member of the project sees this view any more.', action: `${path}/remove`, danger: true })}</div>`;
}

function filterWords(table: FilterTable, filter: ViewFilter): Html {
  const words = ([name, value]: readonly [string, string]) =>
    html`<li>${titleOf(table, name)}: ${valueText(table, name, value)}</li>`;
  return html`<ul class="plain">${Object.entries(filter).map(words)}</ul>`;
}
