import { validate as isUuid } from 'uuid';
import type { FeedbackLabel, ListEffect, ListKind, UserStatus } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import type { BulkActionName } from '../../ground/vocabulary.js';
import { recordInWorld } from '../../resources/audit/audit.js';
import { addMissingEntries, type EntriesToAdd } from '../../resources/lists/change-entries.js';
import { inTransaction, type Service } from '../../resources/service.js';
import {
  type Actor,
  actOnDevice,
  type DeviceAction,
  endSessions,
  isDeviceAction,
  labelOneOfMany,
  setUserStatus,
} from '../admin-actions.js';
import { addItems, endBulkAction, findSelected, insertBulkAction, type NewBulkAction, setFailed } from './queries.js';
import { maxSelected, type Source } from './rules.js';
import { type Affected, affectedBy } from './targets.js';

/** Rows selected in a list, and what to do with them. */
export interface Selection {
  readonly action: BulkActionName;
  readonly source: Source;
  readonly ids: readonly string[];
}

/**
 * Returns what an action on selected rows affects.
 *
 * @throws {ApiError} `not_found` if the world lacks one of the rows; `invalid_request` for too many
 */
export async function preview({ db }: Service, { caller }: Actor, selection: Selection): Promise<Affected[]> {
  const ids = [...new Set(selection.ids)];
  if (ids.length > maxSelected) {
    throw new ApiError('invalid_request', { detail: `Select at most ${maxSelected} rows at once.` });
  }
  const rows = ids.every((id) => isUuid(id)) ? await findSelected(db, caller.worldId, selection.source, ids) : [];
  if (rows.length < ids.length) {
    throw new ApiError('not_found', {
      detail: 'One of the selected rows does not exist any more. Go back, and reload the list.',
    });
  }
  return affectedBy(selection.action, rows);
}

/** Effect and note of new entries of a list. */
export interface EntryChoice {
  readonly effect: ListEffect;
  readonly note: string;
}

/**
 * Does the same with many rows, each as the action on one does it. Rows on which it has no effect stay as they are. A form
 * that is sent twice acts once.
 *
 * @param id ID of this action, by which it can be undone.
 * @throws {ApiError} as `preview` does
 * @throws InvalidListEntries
 */
export async function performOnMany(
  service: Service,
  actor: Actor,
  id: string,
  { selection, entry }: { readonly selection: Selection; readonly entry: EntryChoice },
): Promise<void> {
  const affected = await preview(service, actor, selection);
  const { caller, origin } = actor;
  const { action } = selection;
  const row = { world_id: caller.worldId, id, action, created_by: origin.by, created_at: service.now() };
  const kind = listKindOf[action];
  const isNew = kind
    ? await addToList(
        service,
        actor,
        row,
        affected.map(({ key: value }) => ({ kind, value, ...entry })),
      )
    : await changeAll(service, actor, row, affected);
  if (!isNew) return;
  await inTransaction(service, caller, async (work) => {
    const { items = [] } = (await endBulkAction(work.db, row, work.now())) ?? {};
    const details = { action, rows: items.length };
    await recordInWorld(work, { ...origin, kind: 'bulk_action', subject: id, details });
  });
}

const listKindOf: Partial<Record<BulkActionName, ListKind>> = {
  list_user: 'user',
  list_device: 'device',
  list_address: 'address',
};

/** Returns false if the action was already carried out. */
async function addToList(
  service: Service,
  { caller, origin }: Actor,
  row: NewBulkAction,
  entries: EntriesToAdd['entries'],
): Promise<boolean> {
  let isNew = false;
  await addMissingEntries(service, { projectId: caller.project.id, entries, origin }, async (trx, added) => {
    isNew = await insertBulkAction(trx, row);
    const items = added.map(({ _id: id }) => ({ id }));
    if (isNew) await addItems(trx, row, items);
  });
  return isNew;
}

/** Returns false if the action was already carried out. */
async function changeAll(
  service: Service,
  actor: Actor,
  row: NewBulkAction,
  affected: readonly Affected[],
): Promise<boolean> {
  if (!(await insertBulkAction(service.db, row))) return false;
  const { action } = row;
  const onChange: Actor['onChange'] = async (work, item) => {
    // Rolls the change back: undoing the action would not know of it.
    if (!(await addItems(work.db, row, [item]))) throw new ActionEnded();
  };
  try {
    const acting = { ...actor, onChange };
    const failures = await changeEach(affected, ({ key: id }) => changeOne(service, acting, id, action));
    if (failures.length > 0) await setFailed(service.db, row, failures.length);
  } catch (error) {
    if (!(error instanceof ActionEnded)) throw error;
  }
  return true;
}

/** An action that took too long was undone, which ended it. */
class ActionEnded extends Error {}

/** Changes one row after the other. Returns why some could not be changed: they no longer exist, or are busy. */
export async function changeEach<Row>(
  rows: readonly Row[],
  change: (row: Row) => Promise<unknown>,
): Promise<readonly ApiError[]> {
  const failures: ApiError[] = [];
  for (const row of rows) {
    try {
      await change(row);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push(error);
    }
  }
  return failures;
}

/** An action on one user, device or evaluation. */
export type SingleAction = BulkActionName | DeviceAction;

/** Does with one row what an action does with many. */
export async function changeOne(service: Service, actor: Actor, id: string, action: SingleAction): Promise<void> {
  const status = statusAfter[action];
  const label = labelOf[action];
  if (status) await setUserStatus(service, actor, id, status);
  else if (label) await labelOneOfMany(service, actor, id, label);
  else if (action === 'end_sessions') await endSessions(service, actor, id);
  else if (isDeviceAction(action)) await actOnDevice(service, actor, id, action);
}

const statusAfter: Partial<Record<SingleAction, UserStatus>> = { suspend: 'suspended', activate: 'active' };

/** The label that an action gives. */
export const labelOf: Partial<Record<SingleAction, FeedbackLabel>> = {
  label_fraud: 'fraud',
  label_legitimate: 'legitimate',
};
