import { validate as isUuid } from 'uuid';
import type { BulkItem } from '../../ground/db/schema/index.js';
import { ApiError } from '../../ground/errors.js';
import { minuteMs } from '../../ground/time.js';
import type { BulkActionName } from '../../ground/vocabulary.js';
import { recordInWorld } from '../../resources/audit/audit.js';
import { countEntriesAbout } from '../../resources/audit/queries.js';
import type { AuditKind } from '../../resources/audit/rules/audit.js';
import { endEntriesById } from '../../resources/lists/change-entries.js';
import { inTransaction, type Service } from '../../resources/service.js';
import { type Actor, undoLabelOfOne } from '../admin-actions.js';
import { changeEach, changeOne, labelOf, type SingleAction } from './perform.js';
import { type BulkActionRow, endBulkAction, findBulkAction, setUndone } from './queries.js';
import { bulkActions, progressOf, type Target, undoMinutes } from './rules.js';

/** Why an action on many rows cannot be undone. */
export type UndoObstacle = 'impossible' | 'undone' | 'running' | 'too_late';

export function undoObstacle(row: BulkActionRow, now: Date): UndoObstacle | undefined {
  const { action, created_at, undone_at } = row;
  if (bulkActions[action].isFinal) return 'impossible';
  if (undone_at) return 'undone';
  if (progressOf(row, now) === 'running') return 'running';
  return now.getTime() - created_at.getTime() > undoMinutes * minuteMs ? 'too_late' : undefined;
}

/** What became of undoing: why it was not possible, otherwise the number of rows that somebody has changed since. */
export type UndoResult = { readonly obstacle: UndoObstacle } | { readonly obstacle?: never; readonly kept: number };

/**
 * Undoes an action on many rows. Those that somebody has changed since stay as they are. An action that was interrupted
 * ends, and what it has changed is undone.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoMany(service: Service, actor: Actor, id: string): Promise<UndoResult> {
  const { caller, origin } = actor;
  const found = isUuid(id) ? await findBulkAction(service.db, caller.worldId, id) : undefined;
  if (!found) throw noAction();
  const obstacle = undoObstacle(found, service.now());
  if (obstacle) return { obstacle };
  const row = await endBulkAction(service.db, found, service.now());
  if (!row) throw noAction();
  let kept = 0;
  if (row.action.startsWith('list_')) {
    const ids = row.items.map((item) => item.id);
    await endEntriesById(service, { projectId: caller.project.id, ids, origin });
  } else {
    const mayChange: Actor['mayChange'] = async (work, { id: subject, user: userId }) => {
      const about = { subject, userId, kinds: changesOf[bulkActions[row.action].target], since: row.created_at };
      // The action itself made one entry.
      const isLast = (await countEntriesAbout(work.db, about)) <= 1;
      if (!isLast) kept += 1;
      return isLast;
    };
    await changeEach(row.items, (item) => undoOne(service, { ...actor, mayChange }, row.action, item));
  }
  return inTransaction(service, caller, async (work) => {
    if (!(await setUndone(work.db, row, { by: origin.by, at: work.now(), kept }))) return { obstacle: 'undone' };
    const details = { action: row.action, rows: row.items.length, ...(kept > 0 && { kept }) };
    await recordInWorld(work, { ...origin, kind: 'bulk_action_undone', subject: row.id, details });
    return { kept };
  });
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
  block: 'unblock',
  unblock: 'block',
  trust: 'distrust',
};

async function undoOne(service: Service, actor: Actor, action: BulkActionName, item: BulkItem): Promise<void> {
  const { id, from } = item;
  if (labelOf[action]) return undoLabelOfOne(service, actor, item);
  const back = inverse[action];
  if (back === undefined) return;
  await changeOne(service, actor, id, back);
  // Lifting a block attaches a device. One that was not attached before must not gain that. A blocked one stays blocked.
  if (action === 'block' && from !== 'attached') await changeOne(service, actor, id, 'detach');
}
