import type { ColumnType } from 'kysely';
import type { ListEffect, ListKind } from 'whorl/wire';
import type { OptionalText, OptionalTime, Time } from './columns.js';

/** Entries of a project's lists. An entry is never changed, only ended, so that the table says what a list held at a time. */
export interface ListEntryTable {
  id: string;
  project_id: string;
  kind: ListKind;
  /** In the normal form of its kind: see resources/lists/rules/values.ts. */
  value: string;
  effect: ListEffect;
  note: OptionalText;
  /** Actor, as the audit log names it: an administrator or a key with its ID, or other words. */
  created_by: string;
  created_at: Time;
  /** From then on, the entry has no effect. */
  expires_at: ColumnType<Date | null, Date | null | undefined, never>;
  ended_at: OptionalTime;
  ended_by: OptionalText;
}
