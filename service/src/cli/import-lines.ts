import type { ImportResult } from 'whorl/wire';
import type { InputError } from '../errors.js';
import { jsonFault } from '../http/body.js';
import type { Caller, Service } from '../service.js';
import { importUsers } from '../users/import/import-users.js';
import { warnAboutRow } from '../users/import/row-warnings.js';
import { readImportRow } from '../users/import/schemas.js';

export type Counts = Record<ImportResult['status'], number>;

/** Plausible field names. Anything else may be a misplaced contact, and is not printed. */
const fieldNamePattern = /^[a-z][\w.-]*$/i;

/**
 * Imports users, one JSON object per line, and reports the result of each line. The reports contain neither contacts nor
 * IDs, because an ID may be an email address.
 */
export async function importLines(
  service: Service,
  caller: Caller,
  lines: AsyncIterable<string>,
  report: (text: string) => void,
): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const text = line.replace(/^\ufeff/, '');
    if (text.trim() === '') continue;
    const { status, remarks } = await importLine(service, caller, text);
    counts[status] += 1;
    report([`line ${number}: ${status}`, ...remarks].join('; '));
  }
  return counts;
}

interface ImportedLine {
  readonly status: ImportResult['status'];
  readonly remarks: readonly string[];
}

async function importLine(service: Service, caller: Caller, text: string): Promise<ImportedLine> {
  const parsed = parse(text);
  if (!parsed) return { status: 'failed', remarks: [describeFault(text)] };
  const warnings: InputError[] = [];
  warnAboutRow(parsed.row, (path, message) => warnings.push({ path, message }));
  const [result] = await importUsers(service, caller, [readImportRow(parsed.row)]);
  if (!result) throw new Error('An import of one row has no result.');
  return { status: result.status, remarks: [...(result.errors ?? []), ...warnings].map(describe) };
}

function parse(text: string): { readonly row: unknown } | undefined {
  try {
    return { row: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function describeFault(text: string): string {
  const fault = jsonFault(text);
  return `not valid JSON${fault ? `: ${fault.what} at column ${fault.column}` : ''}`;
}

function describe({ path, message }: InputError): string {
  if (path === '') return `it ${message}`;
  return fieldNamePattern.test(path) ? `${path} ${message}` : 'an unknown field was ignored';
}
