import type { PageQuery } from './paging.js';
import type { ListEffect, ListKind, Timestamp } from './vocabulary.js';

/** Entry of a project's lists (docs/lists.md). Entries apply to live and test keys. They never change: they end. */
export interface ListEntry {
  _id: string;
  kind: ListKind;
  /** In normal form: `198.51.100.0/24` for `198.51.100.7/24`. */
  value: string;
  effect: ListEffect;
  note?: string;
  /** `administrator`, `key` or `command line`, the first two with an ID. `upgrade`: from a setting of an older version. */
  created_by: string;
  created_at: Timestamp;
  /** From then on, the entry has no effect. */
  expires_at?: Timestamp;
  ended_at?: Timestamp;
  ended_by?: string;
}

/** A new entry. */
export interface NewListEntry {
  kind: ListKind;
  value: string;
  effect: ListEffect;
  /** At most 500 characters. */
  note?: string;
  /** Later than now. Absent: the entry does not expire. */
  expires_at?: Timestamp;
}

/** GET /v2/lists. The newest entries come first. */
export interface ListsQuery extends PageQuery {
  kind?: ListKind;
  effect?: ListEffect;
  /** The exact value. */
  value?: string;
  /** What the lists held at this time. Default: now. */
  at?: string;
}

/** POST /v2/lists */
export interface AddListEntriesRequest {
  /** At most 1,000. If one is invalid, none is added. */
  entries: NewListEntry[];
}

export interface AddListEntriesResponse {
  /** The entries that the lists hold now for these values, in the order of the request. */
  entries: ListEntry[];
}
