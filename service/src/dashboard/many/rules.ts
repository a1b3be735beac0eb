import { minuteMs } from '../../ground/time.js';
import type { BulkActionName } from '../../ground/vocabulary.js';

/** Lists in which rows can be selected. */
export const sources = ['users', 'devices', 'evaluations'] as const;
export type Source = (typeof sources)[number];

/** What an action changes: users, devices, evaluations, or entries of a list. */
export type Target = 'user' | 'device' | 'evaluation' | 'list';

interface BulkAction {
  readonly target: Target;
  /** Lists that offer it. */
  readonly sources: readonly Source[];
  /** Whether it cannot be undone. Default: false. */
  readonly isFinal?: boolean;
}

export const bulkActions: Readonly<Record<BulkActionName, BulkAction>> = {
  suspend: { target: 'user', sources: ['users', 'devices', 'evaluations'] },
  activate: { target: 'user', sources: ['users'] },
  block: { target: 'device', sources: ['devices', 'evaluations'] },
  unblock: { target: 'device', sources: ['devices'] },
  trust: { target: 'device', sources: ['devices', 'evaluations'] },
  list_user: { target: 'list', sources: ['users', 'devices', 'evaluations'] },
  list_device: { target: 'list', sources: ['devices', 'evaluations'] },
  list_address: { target: 'list', sources: ['evaluations'] },
  label_fraud: { target: 'evaluation', sources: ['evaluations'] },
  label_legitimate: { target: 'evaluation', sources: ['evaluations'] },
  end_sessions: { target: 'user', sources: ['users', 'devices', 'evaluations'], isFinal: true },
};

/** Maximum number of rows that are selected at once: as many as one picture of linked accounts has. */
export const maxSelected = 500;
/** Minutes in which an action on many rows can be undone. */
export const undoMinutes = 10;
/** Minutes after which an action that has not ended counts as interrupted. For 500 rows, each changed in a transaction. */
export const maxRunMinutes = 2;

/** Whether an action still changes rows, has ended, or was interrupted, for example because its process died. */
export type Progress = 'running' | 'interrupted' | 'ended';

export function progressOf(
  { created_at, finished_at }: { readonly created_at: Date; readonly finished_at: Date | null },
  now: Date,
): Progress {
  if (finished_at) return 'ended';
  return now.getTime() - created_at.getTime() > maxRunMinutes * minuteMs ? 'interrupted' : 'running';
}
