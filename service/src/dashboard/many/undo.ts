import { validate as isUuid } from 'uuid';
import type { BulkItem } from '../../ground/db/schema/index.js';
import { ApiError } from '../../ground/errors.js';
import { minuteMs } from '../../ground/time.js';
import type { BulkActionName } from '../../ground/vocabulary.js';
import { recordInWorld } from '../../resources/audit/audit.js';
import { countEntriesAbout } from '../../resources/audit/queries.js';
import type { AuditKind } from '../../resources/audit/rules/audit.js';
import { endEntries } from '../../resources/lists/change-entries.js';
import { lockProjects } from '../../resources/projects/queries/projects.js';
import { inTransaction, type Service, type UnitOfWork } from '../../resources/service.js';
import { type Actor, undoBlock, undoLabelOfOne } from '../admin-actions.js';
import { changeEach, changeOne, labelOf, type SingleAction } from './perform.js';
import { type BulkActionRow, endBulkAction, findBulkAction, setUndone } from './queries.js';
import { bulkActions, progressOf, type Target, undoMinutes } from './rules.js';

/** Why an action on many rows cannot be undone. */
export type UndoObstacle = 'impossible' | 'undone' | 'running' | 'too_late' | 'busy';

export function undoObstacle(row: BulkActionRow, now: Date): Exclude<UndoObstacle, 'busy'> | undefined {
  const { action, created_at, undone_at } = row;
  if (bulkActions[action].isFinal) return 'impossible';
  if (undone_at) return 'undone';
  if (progressOf(row, now) === 'running') return 'running';
  return now.getTime() - created_at.getTime() > undoMinutes * minuteMs ? 'too_late' : undefined;
}

/** Outcome of undoing: why it was not possible, or the number of rows left as they are because somebody changed them. */
export type UndoResult = { readonly obstacle: UndoObstacle } | { readonly obstacle?: never; readonly kept: number };

/**
 * Undoes an action on many rows. Those that somebody has changed since stay as they are. An action that was interrupted
 * ends, and what it has changed is undone. If some users are busy, the others are undone, and it can be repeated.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoMany(service: Service, actor: Actor, id: string): Promise<UndoResult> {
  const { caller } = actor;
  const found = isUuid(id) ? await findBulkAction(service.db, caller.worldId, id) : undefined;
  if (!found) throw noAction();
  const obstacle = undoObstacle(found, service.now());
  if (obstacle) return { obstacle };
  const row = await endBulkAction(service.db, found, service.now());
  if (!row) throw noAction();
  if (bulkActions[row.action].target === 'list') {
    return inTransaction(service, caller, async (work) => finish(work, actor, row, await endAdded(work, actor, row)));
  }
  const { kept, isBusy } = await undoEach(service, actor, row);
  if (isBusy) return { obstacle: 'busy' };
  return inTransaction(service, caller, (work) => finish(work, actor, row, kept));
}

async function finish(work: UnitOfWork, { origin }: Actor, row: BulkActionRow, kept: number): Promise<UndoResult> {
  if (!(await setUndone(work.db, row, { by: origin.by, at: work.now(), kept }))) return { obstacle: 'undone' };
  const details = { action: row.action, rows: row.items.length, ...(kept > 0 && { kept }) };
  await recordInWorld(work, { ...origin, kind: 'bulk_action_undone', subject: row.id, details });
  return { kept };
}

/** Ends the entries of lists that an action added. Returns the number of those that have ended already. */
async function endAdded(work: UnitOfWork, { caller, origin }: Actor, { items }: BulkActionRow): Promise<number> {
  const ids = items.map(({ id }) => id);
  await lockProjects(work.db);
  const ended = await endEntries(work.db, work, { projectId: caller.project.id, ids, origin });
  return ids.length - ended.length;
}

interface Undone {
  /** Number of rows that somebody has changed since. */
  readonly kept: number;
  /** Whether users were busy, whose rows are not undone. */
  readonly isBusy: boolean;
}

/** Undoes one row after the other. Rows that it has undone already, before it was interrupted, stay so. */
async function undoEach(service: Service, actor: Actor, row: BulkActionRow): Promise<Undone> {
  const kinds = changesOf[bulkActions[row.action].target];
  const origin = { ...actor.origin, details: { undo_of: row.id } };
  let kept = 0;
  const failures = await changeEach(row.items, (item) => {
    const mayChange: Actor['mayChange'] = async (work, { id, user: userId }) => {
      // A device can have been merged into another one since.
      const about = { subjects: [item.id, id], userId, kinds, since: row.created_at, exceptUndoOf: row.id };
      // The action itself made one entry.
      const isLast = (await countEntriesAbout(work.db, about)) <= 1;
      if (!isLast) kept += 1;
      return isLast;
    };
    return undoOne(service, { ...actor, origin, mayChange }, row.action, item);
  });
  return { kept, isBusy: failures.some(({ code }) => code === 'user_busy') };
}

/** Entries of the audit log that change what an action changes. */
const changesOf: Readonly<Record<Target, readonly AuditKind[]>> = {
  user: ['suspend', 'activate'],
  device: ['block', 'unblock', 'trust', 'distrust', 'detach', 'disown'],
  evaluation: ['label_fraud', 'label_legitimate', 'label_removed'],
  list: [],
};

export function noAction(): ApiError {
  return new ApiError('not_found', { detail: 'There is no such action, or it is older than a day.' });
}

const inverse: Partial<Record<BulkActionName, SingleAction>> = {
  suspend: 'activate',
  activate: 'suspend',
  unblock: 'block',
  trust: 'distrust',
};

async function undoOne(service: Service, actor: Actor, action: BulkActionName, item: BulkItem): Promise<void> {
  if (labelOf[action]) return undoLabelOfOne(service, actor, item);
  if (action === 'block') return undoBlock(service, actor, item);
  const back = inverse[action];
  if (back !== undefined) await changeOne(service, actor, item.id, back);
}
