import type { ImportResult } from 'whorl/wire';
import { warnAboutRow } from '../api/users/import/row-warnings.js';
import { readImportRow } from '../api/users/import/schemas.js';
import { importUsers } from '../effects/import/import-users.js';
import type { InputError } from '../ground/errors.js';
import { jsonFault } from '../http/body.js';
import type { Caller, Service } from '../resources/service.js';

export type Counts = Record<ImportResult['status'], number>;

/** Plausible field names. Anything else may be a misplaced contact, and is not printed. */
const fieldNamePattern = /^[a-z][\w.-]*$/i;

/** Row of a file, or why it cannot be read. */
export interface FileRow {
  /** Number of its line, from 1. */
  readonly line: number;
  readonly row?: unknown;
  readonly fault?: string;
  /** Returns how the file names a field of the API. Default: the same. */
  readonly nameOf?: (path: string) => string;
}

/** What Node decodes bytes to that are not UTF-8. Two different names could become one. */
export const undecodable = '\ufffd';
export const notUtf8 = 'it is not UTF-8: save the file as UTF-8, and import it again';

/** Reads one JSON object per line. */
export async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const raw of lines) {
    line += 1;
    const text = raw.replace(/^\ufeff/, '');
    if (text.includes(undecodable)) yield { line, fault: notUtf8 };
    else if (text.trim() !== '') yield { line, ...parse(text) };
  }
}

/**
 * Imports the users of a file, and reports the result of each row. The reports contain neither contacts nor IDs, because
 * an ID may be an email address.
 */
export async function importRows(
  service: Service,
  caller: Caller,
  rows: AsyncIterable<FileRow>,
  report: (text: string) => void,
): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for await (const row of rows) {
    const { status, remarks } = await importRow(service, caller, row);
    counts[status] += 1;
    report([`line ${row.line}: ${status}`, ...remarks].join('; '));
  }
  return counts;
}

interface ImportedRow {
  readonly status: ImportResult['status'];
  readonly remarks: readonly string[];
}

async function importRow(service: Service, caller: Caller, { row, fault, nameOf }: FileRow): Promise<ImportedRow> {
  if (fault !== undefined) return { status: 'failed', remarks: [fault] };
  const warnings: InputError[] = [];
  warnAboutRow(row, (path, message) => warnings.push({ path, message }));
  const [result] = await importUsers(service, caller, [readImportRow(row)]);
  if (!result) throw new Error('An import of one row has no result.');
  const remarks = [...(result.errors ?? []), ...warnings].map((remark) => describe(remark, nameOf));
  return { status: result.status, remarks };
}

function parse(text: string): Pick<FileRow, 'row' | 'fault'> {
  try {
    return { row: JSON.parse(text) };
  } catch {
    const fault = jsonFault(text);
    return { fault: `not valid JSON${fault ? `: ${fault.what} at column ${fault.column}` : ''}` };
  }
}

function describe({ path, message }: InputError, nameOf = (name: string) => name): string {
  if (path === '') return `it ${message}`;
  return fieldNamePattern.test(path) ? `${nameOf(path)} ${message}` : 'an unknown field was ignored';
}
