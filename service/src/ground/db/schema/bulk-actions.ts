import type { ColumnType, Generated } from 'kysely';
import type { BulkActionName } from '../../vocabulary.js';
import type { Json, OptionalText, OptionalTime, Time } from './columns.js';

/** Actions on many rows at once, kept for a day so that they can be undone. */
export interface BulkActionTable {
  world_id: string;
  id: string;
  action: ColumnType<BulkActionName, BulkActionName, never>;
  /** What was changed. Rows on which the action had no effect are left out. */
  items: Json<BulkItem[]>;
  /** Number of rows that could not be changed. */
  failed: number;
  /** Actor, as the audit log names it. */
  created_by: ColumnType<string, string, never>;
  created_at: Time;
  /** When it ended. Null while it runs, and if the process died. Nothing is added to `items` afterwards. */
  finished_at: OptionalTime;
  undone_by: OptionalText;
  undone_at: OptionalTime;
  /** Number of rows that undoing it left as they were, because somebody had changed them since. */
  kept: Generated<number>;
}

export interface BulkItem {
  /** ID of the user, the device, the evaluation or the entry of a list. */
  readonly id: string;
  /** ID of the user, if the row belongs to one. */
  readonly user?: string;
  /** Status or label before the action. */
  readonly from?: string;
  /** Whether an evaluation waited for a review. */
  readonly waited?: boolean;
}
