import type { BulkActionName } from '../../ground/vocabulary.js';
import { addressToBlock } from '../evaluations/blocks.js';
import type { SelectedRow } from './queries.js';
import { bulkActions } from './rules.js';

/** What an action changes, once each. */
export interface Affected {
  /** ID of the user, device or evaluation, or the value of the list's entry. */
  readonly key: string;
  readonly name: string;
}

/** Returns what an action on rows affects, without repetitions. Rows without a user, device or address are left out. */
export function affectedBy(action: BulkActionName, rows: readonly SelectedRow[]): Affected[] {
  const all = rows.flatMap((row) => affectedByOne(action, row) ?? []);
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

function affectedByOne(action: BulkActionName, row: SelectedRow): Affected | undefined {
  const { user_id: userId, external_user: name, device_id: deviceId, ip } = row;
  const { target } = bulkActions[action];
  if (target === 'evaluation') return { key: row.id, name: `${row.action} of ${name ?? 'an unknown user'}` };
  if (target === 'user') {
    return userId === null || name === null ? undefined : { key: userId, name };
  }
  if (action === 'list_user') return name === null ? undefined : { key: name, name };
  if (action === 'list_address') {
    const address = ip === null ? undefined : addressToBlock({ ip }, row.network ?? undefined);
    return address === undefined ? undefined : { key: address, name: address };
  }
  return deviceId === null ? undefined : { key: deviceId, name: `a device of ${name ?? 'an unknown user'}` };
}
