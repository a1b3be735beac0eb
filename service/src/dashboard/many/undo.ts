import { validate as isUuid } from 'uuid';
import type { BulkItem } from '../../ground/db/schema/index.js';
import { ApiError } from '../../ground/errors.js';
import { minuteMs } from '../../ground/time.js';
import type { BulkActionName } from '../../ground/vocabulary.js';
import { recordInWorld } from '../../resources/audit/audit.js';
import { endEntriesById } from '../../resources/lists/change-entries.js';
import { inTransaction, type Service } from '../../resources/service.js';
import { type Actor, undoLabelOfOne } from '../admin-actions.js';
import { changeEach, changeOne, labelOf, type SingleAction } from './perform.js';
import { type BulkActionRow, findBulkAction, setUndone } from './queries.js';
import { bulkActions, undoMinutes } from './rules.js';

/** Why an action on many rows cannot be undone. */
export type UndoObstacle = 'impossible' | 'undone' | 'too_late';

export function undoObstacle({ action, created_at, undone_at }: BulkActionRow, now: Date): UndoObstacle | undefined {
  if (bulkActions[action].isFinal) return 'impossible';
  if (undone_at) return 'undone';
  return now.getTime() - created_at.getTime() > undoMinutes * minuteMs ? 'too_late' : undefined;
}

/**
 * Undoes an action on many rows. Returns why it was not possible; undefined if it was.
 *
 * @throws {ApiError} `not_found`
 */
export async function undoMany(service: Service, actor: Actor, id: string): Promise<UndoObstacle | undefined> {
  const { caller, origin } = actor;
  const row = isUuid(id) ? await findBulkAction(service.db, caller.worldId, id) : undefined;
  if (!row) throw noAction();
  const obstacle = undoObstacle(row, service.now());
  if (obstacle) return obstacle;
  if (row.action.startsWith('list_')) {
    const ids = row.items.map((item) => item.id);
    await endEntriesById(service, { projectId: caller.project.id, ids, origin });
  } else {
    await changeEach(row.items, (item) => undoOne(service, actor, row.action, item));
  }
  return inTransaction(service, caller, async (work) => {
    if (!(await setUndone(work.db, row, { by: origin.by, at: work.now() }))) return 'undone';
    const details = { action: row.action, rows: row.items.length };
    await recordInWorld(work, { ...origin, kind: 'bulk_action_undone', subject: row.id, details });
    return undefined;
  });
}

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
  const label = labelOf[action];
  if (label) return undoLabelOfOne(service, actor, item, label);
  const back = inverse[action];
  if (back === undefined) return;
  await changeOne(service, actor, id, back);
  // Lifting a block attaches a device. One that was not attached before must not gain that.
  if (action === 'block' && from !== 'attached') await changeOne(service, actor, id, 'detach');
}
