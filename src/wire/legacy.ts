import type { PeriodQuery } from './paging.js';
import type { Reason } from './reasons.js';
import type { Action, Outcome, Timestamp, Verdict } from './vocabulary.js';

/** One row of the access history. */
export interface Access {
  _id: string;
  /** The `_id` of the user. Absent if the access was denied before the user was known. */
  user?: string;
  /** The customer's own identifier of the user. Absent for a failed attempt of a user that did not exist. */
  external_user?: string;
  /** The ID of the device. Absent if the access was denied before the device was known. */
  device?: string;
  action: Action;
  verdict: Verdict;
  reasons: Reason[];
  ip?: string;
  createdAt: Timestamp;
}

export interface AccessHistoryQuery extends PeriodQuery {
  /** A user: `external_id`, or else `_id`. */
  user?: string;
  /** The ID of a device. */
  device?: string;
  /** Default `succeeded`. `failed` returns failed attempts instead. */
  outcome?: Outcome;
}

export interface LegacyDevicesQuery {
  /** Includes whitelisted devices. Default false. */
  whitelisted?: boolean;
  /** Returns the devices of the test world instead. Default false. */
  dev?: boolean;
}
