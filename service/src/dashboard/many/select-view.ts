import { html } from 'hono/html';
import { type BulkActionName, bulkActionNames } from '../../ground/vocabulary.js';
import type { Place } from '../view/cells.js';
import { type Cell, type Column, field, type Html, hidden, table } from '../view/parts.js';
import { bulkActions, type Source } from './rules.js';

/** Name of each action. */
export const bulkActionWords: Readonly<Record<BulkActionName, string>> = {
  suspend: 'Suspend the users',
  activate: 'Reactivate the users',
  block: 'Block the devices',
  unblock: 'Unblock the devices',
  trust: 'Trust the devices permanently',
  list_user: 'Add the users to a list',
  list_device: 'Add the devices to a list',
  list_address: 'Add the IP addresses to a list',
  label_fraud: 'Label the evaluations as fraud',
  label_legitimate: 'Label the evaluations as legitimate',
  end_sessions: 'End the sessions of the users',
};

interface SelectableTable {
  readonly source: Source;
  /** IDs of the rows, in their order. */
  readonly ids: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly caption: string;
  /** IDs of the rows that are selected at first. Default: none. */
  readonly selected?: ReadonlySet<string>;
}

/** Renders a table whose rows can be selected for an action on many, if the member may act. At most one on a page. */
export function selectableTable(
  place: Place,
  { source, ids, columns, rows, caption, selected }: SelectableTable,
): Html {
  if (!place.can('act')) return table(columns, rows, caption);
  const box = (at: number) =>
    html`<input type="checkbox" form="many" name="id" value="${ids[at] ?? ''}" aria-label="Select row ${at + 1}"${selected?.has(ids[at] ?? '') && html` checked`}/>`;
  const withBoxes = rows.map((row, at): Cell[] => [box(at), ...row]);
  const offered = bulkActionNames.filter((name) => bulkActions[name].sources.includes(source));
  const choice = field({
    type: 'choice',
    name: 'action',
    id: 'many-action',
    label: 'With the selected rows',
    options: offered.map((value) => ({ value, label: bulkActionWords[value] })),
  });
  return html`${table(['Select', ...columns], withBoxes, caption)}
<form id="many" method="post" action="${place.base}/actions" class="plain row"><input type="hidden" name="csrf" value="${place.formToken}"/><input type="hidden" name="source" value="${source}"/>
${ids.map((id) => hidden('shown', id))}${choice}
${field({ type: 'switch', name: 'all', label: 'All rows of this page' })}
<button type="submit">Preview…</button></form>`;
}
