import type { ColumnType } from 'kysely';
import type { ViewedList } from '../../vocabulary.js';
import type { Json, Time } from './columns.js';

/** Filters of a list of the dashboard, under a name. */
export interface SavedViewTable {
  world_id: string;
  id: string;
  list: ColumnType<ViewedList, ViewedList, never>;
  name: string;
  /** Values as in the URL of the list, by the name of the filter. They name no user, device or address. */
  filter: Json<Record<string, string>>;
  /** Actor that saved these filters, as the audit log names it. */
  saved_by: string;
  saved_at: Time;
}
