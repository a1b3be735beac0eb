import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ImportedUser, ImportResult } from 'whorl/wire';
import { DatabaseUnavailableError } from '../../db/availability.js';
import { ApiError, type InputError } from '../../errors.js';
import type { Caller, Service } from '../../service.js';
import type { ContactKind } from '../rules/contacts.js';
import { type StoredRow, storeRow } from './store-row.js';

/** A row as it came: checked, or with what is wrong with it. */
export interface ImportRow {
  /** The `id` of the row, as far as it has one. */
  readonly id: string;
  readonly parsed: { readonly value: ImportedUser; readonly errors?: undefined } | { readonly errors: InputError[] };
}

export interface ImportOptions {
  /** Called for each contact that is left out because it cannot be read. */
  readonly onUnreadableContact?: (kind: ContactKind, row: number) => void;
}

/**
 * Imports users, row by row in their order, each in a transaction of its own: a row that fails keeps nothing of itself,
 * and touches no other. Importing a row again changes nothing. Other requests get their turn between two rows.
 *
 * @throws DatabaseUnavailableError, when some rows may have been stored.
 */
export async function importUsers(
  service: Service,
  caller: Caller,
  rows: readonly ImportRow[],
  { onUnreadableContact }: ImportOptions = {},
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  for (const [index, row] of rows.entries()) {
    results.push(await importRow(service, caller, row, (kind) => onUnreadableContact?.(kind, index)));
    // The embedded database answers without leaving this process, which would serve nothing else meanwhile.
    await yieldToOthers();
  }
  return results;
}

async function importRow(
  service: Service,
  caller: Caller,
  { id, parsed }: ImportRow,
  onUnreadableContact: (kind: ContactKind) => void,
): Promise<ImportResult> {
  if (parsed.errors) return { id, status: 'failed', errors: parsed.errors };
  try {
    const { unreadable, ...stored } = await storeRow(service, caller, parsed.value);
    for (const kind of unreadable) onUnreadableContact(kind);
    return { id, status: statusOf(stored), ...(stored.errors.length > 0 && { errors: [...stored.errors] }) };
  } catch (error) {
    return { id, status: 'failed', errors: errorsOf(service, error) };
  }
}

function statusOf({ isNew, isChanged }: Pick<StoredRow, 'isNew' | 'isChanged'>): ImportResult['status'] {
  if (isNew) return 'created';
  return isChanged ? 'updated' : 'unchanged';
}

function errorsOf({ log }: Service, error: unknown): InputError[] {
  if (error instanceof DatabaseUnavailableError) throw error;
  if (error instanceof ApiError && error.errors) return error.errors;
  log.error({ err: error }, 'A row of an import could not be stored');
  return [{ path: '', message: 'could not be stored because of a fault of the service; send it again' }];
}
