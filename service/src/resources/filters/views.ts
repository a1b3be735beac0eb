import { validate as isUuid } from 'uuid';
import { noSuch } from '../../ground/errors.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { ViewedList } from '../../ground/vocabulary.js';
import { type NamedOrigin, recordInWorld } from '../audit/audit.js';
import type { AuditKind } from '../audit/rules/audit.js';
import { lockProjects } from '../projects/queries/projects.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../service.js';
import { describeFilter, type FilterTable } from './rules/filter.js';
import {
  isSameFilter,
  isUnderstood,
  maxViews,
  personalFilters,
  type ViewFilter,
  viewNameProblem,
} from './rules/saved-views.js';
import {
  deleteViewRow,
  findViewRow,
  listViewRows,
  renameViewRow,
  type SavedViewRow,
  saveViewRow,
} from './view-queries.js';

/** A view cannot be saved or renamed. The message is a sentence for the member. */
export class RefusedView extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedView';
  }
}

/** Filters of a list under a name, for all members of a project. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly filter: ViewFilter;
  readonly savedBy: string;
  readonly savedAt: Date;
}

/** Filters to save. */
export interface ViewToSave {
  readonly list: ViewedList;
  readonly table: FilterTable;
  readonly name: string;
  readonly filter: ViewFilter;
  /** Whether they take the place of those of a view with the same name. */
  readonly replaces: boolean;
  readonly origin: NamedOrigin;
}

/** Returns the views of a list, in the order of their names. */
export async function listViews({ db }: Service, { worldId }: Caller, list: ViewedList): Promise<SavedView[]> {
  return (await listViewRows(db, worldId, list)).map(({ id, name, filter, saved_by, saved_at }) => ({
    id,
    name,
    filter,
    savedBy: saved_by,
    savedAt: saved_at,
  }));
}

/**
 * Saves filters as a view. Saving the same again changes nothing.
 *
 * @throws RefusedView
 */
export function saveView(service: Service, caller: Caller, view: ViewToSave): Promise<void> {
  const { list, table, filter, replaces, origin } = view;
  const name = checkName(view.name);
  checkFilter(table, filter);
  return changeViews(service, caller, async (work) => {
    const { worldId } = work.caller;
    const views = await listViewRows(work.db, worldId, list);
    const known = views.find((each) => each.name === name);
    if (known && isSameFilter(known.filter, filter)) return;
    if (known && !replaces) throw nameTaken(name, ', or replace that view');
    if (!known && views.length >= maxViews)
      throw new RefusedView(`A list can have at most ${maxViews} views. Remove one first.`);
    const row = {
      world_id: worldId,
      id: known?.id ?? work.newId(),
      list,
      name,
      filter: { ...filter },
      saved_by: origin.by,
      saved_at: work.now(),
    };
    await saveViewRow(work.db, row);
    await record(work, known ? 'view_replaced' : 'view_saved', row, origin);
  });
}

/** A view to change, by its ID. */
export interface ViewToChange {
  readonly id: string;
  readonly origin: NamedOrigin;
}

/**
 * Renames a view. Returns its list.
 *
 * @throws RefusedView
 * @throws {ApiError} `not_found`
 */
export function renameView(
  service: Service,
  caller: Caller,
  { id, name: entered, origin }: ViewToChange & { readonly name: string },
): Promise<ViewedList> {
  const name = checkName(entered);
  return changeViews(service, caller, async (work) => {
    const row = await mustFind(work, id);
    if (row.name === name) return row.list;
    const all = await listViewRows(work.db, row.world_id, row.list);
    if (all.some((each) => each.name === name)) throw nameTaken(name);
    await renameViewRow(work.db, row, name);
    await record(work, 'view_renamed', row, origin);
    return row.list;
  });
}

/**
 * Removes a view. Returns its list.
 *
 * @throws {ApiError} `not_found`
 */
export function removeView(service: Service, caller: Caller, { id, origin }: ViewToChange): Promise<ViewedList> {
  return changeViews(service, caller, async (work) => {
    const row = await mustFind(work, id);
    await deleteViewRow(work.db, row);
    await record(work, 'view_removed', row, origin);
    return row.list;
  });
}

/** Changes views one after the other, so that their names and their number stay as they were checked. */
function changeViews<Result>(service: Service, caller: Caller, change: (work: UnitOfWork) => Promise<Result>) {
  return inTransaction(service, caller, async (work) => {
    await lockProjects(work.db);
    return change(work);
  });
}

async function mustFind({ db, caller }: UnitOfWork, id: string): Promise<SavedViewRow> {
  const row = isUuid(id) ? await findViewRow(db, { world_id: caller.worldId, id }) : undefined;
  if (!row) throw noSuch('view');
  return row;
}

/** Records a change. The log, which is not erased, has no name: it could be that of a user. */
async function record(work: UnitOfWork, kind: AuditKind, { id, list, filter }: SavedViewRow, origin: NamedOrigin) {
  const details = { list, filter: describeFilter({}, filter) };
  await recordInWorld(work, { ...origin, kind, subject: id, details });
}

function checkName(entered: string): string {
  const name = entered.trim();
  const problem = viewNameProblem(name);
  if (problem !== undefined) throw new RefusedView(`The name ${problem}.`);
  return name;
}

function checkFilter(table: FilterTable, filter: ViewFilter): void {
  if (Object.keys(filter).length === 0) throw new RefusedView('Set at least one filter first.');
  const personal = personalFilters(table, filter).map((name) => table[name]?.title);
  if (personal.length > 0) {
    throw new RefusedView(
      `A view cannot have these filters, because they name a person, a device or an address: ${personal.join(', ')}. Remove them first.`,
    );
  }
  if (!isUnderstood(table, filter)) throw new RefusedView('A filter is not valid. Correct it first.');
}

function nameTaken(name: string, orElse = ''): RefusedView {
  return new RefusedView(`There is already a view with the name "${name}". Choose another name${orElse}.`);
}
