import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ImportedUser, ImportResult } from 'whorl/wire';
import { DatabaseUnavailableError } from '../../ground/db/availability.js';
import { ApiError, type InputError } from '../../ground/errors.js';
import { type Origin, recordAudit } from '../../resources/audit/audit.js';
import type { Caller, Service } from '../../resources/service.js';
import type { ContactKind } from '../../resources/users/rules/contacts.js';
import { type StoredRow, storeRow } from './store-row.js';

/** Row of an import: valid, or with its errors. */
export interface ImportRow {
  /** `id` of the row; empty if it has none. */
  readonly id: string;
  readonly parsed: { readonly value: ImportedUser; readonly errors?: undefined } | { readonly errors: InputError[] };
}

export interface ImportOptions {
  /** Called for each contact that is skipped because it cannot be parsed. */
  readonly onUnreadableContact?: (kind: ContactKind, row: number) => void;
}

/**
 * Imports users row by row, in order, each in a separate transaction: a row that fails is not stored and does not
 * affect others. Importing a row again changes nothing. Other requests are served between rows.
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
    // The embedded database runs in this process, which could not serve other requests otherwise.
    await yieldToEventLoop();
  }
  return results;
}

/** Number of rows by result. */
export type ImportCounts = Record<ImportResult['status'], number>;

/** Records an import in the audit log, unless it changed nothing. */
export async function recordImport(
  service: Service,
  { project, mode }: Caller,
  { created, updated, failed }: Omit<ImportCounts, 'unchanged'>,
  origin: Origin,
): Promise<void> {
  if (created + updated === 0) return;
  const details = { created, updated, failed };
  await recordAudit(service.db, service, { ...origin, kind: 'users_imported', projectId: project.id, mode, details });
}

/** Returns the number of rows by result. */
export function countResults(results: readonly ImportResult[]): ImportCounts {
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
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
  log.error({ err: error }, 'Import row failed');
  return [{ path: '', message: 'could not be stored because of an internal error; send it again' }];
}
