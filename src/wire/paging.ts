import type { Timestamp } from './vocabulary.js';

/** One page of a list (docs/api.md). */
export interface Page<Item> {
  data: Item[];
  page: number;
  limit: number;
  /** The number of all matching records. */
  total: number;
}

/** One page of a list that continues at a cursor (docs/api.md). It can be shorter than `limit`, or empty. */
export interface CursorPage<Item> {
  data: Item[];
  /** Where the next page begins. Absent on the last page. */
  next_cursor?: string;
}

/** The query of every paged list. */
export interface PageQuery {
  /** Starts at 1. Default 1. */
  page?: number;
  /** Default 10, maximum 100. */
  limit?: number;
}

/** The query of a list with a period. Both ends are inclusive, and a bare end date means the whole day. */
export interface PeriodQuery extends PageQuery {
  start_date?: Timestamp;
  end_date?: Timestamp;
}

/** The query of a list that continues at a cursor. */
export interface CursorQuery {
  /** `next_cursor` of the previous page. Default: the newest records. */
  cursor?: string;
  /** Default 10, maximum 100. */
  limit?: number;
}
