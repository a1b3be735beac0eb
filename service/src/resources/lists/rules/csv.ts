import { CsvError, parse } from 'csv-parse/sync';
import type { ListEffect, ListEntry, ListKind } from 'whorl/wire';
import { csvLine } from '../../../ground/csv-rules.js';
import { isDateOrTimestamp, momentForm } from '../../../ground/moment-rules.js';
import { listEffects, listKinds } from '../../../ground/vocabulary.js';
import { checkEntries, type WantedEntry } from './new-entries.js';

const columns = ['kind', 'value', 'effect', 'note', 'expires_at'] as const;
type Column = (typeof columns)[number];

const requiredColumns: readonly Column[] = ['kind', 'value', 'effect'];

/** Entries of a file, or its problems, of which each begins with the line. */
export interface ReadCsv {
  readonly entries: readonly WantedEntry[];
  readonly problems: readonly string[];
}

/** Returns entries as comma-separated values. A value that a spreadsheet would run as a formula begins with `'`. */
export function writeListCsv(entries: readonly ListEntry[]): string {
  const lines = entries.map((entry) => csvLine(columns.map((name) => entry[name] ?? '')));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** Reads comma-separated values whose first line names the columns. */
export function readListCsv(text: string, now: Date): ReadCsv {
  const records = recordsOf(text);
  if ('problem' in records) return { entries: [], problems: [records.problem] };
  const [first, ...rows] = records;
  const header = first?.values ?? [];
  const missing = requiredColumns.filter((name) => !header.includes(name));
  if (missing.length > 0 || header.some((name) => !columns.some((known) => known === name))) {
    return { entries: [], problems: [`Line 1: The first line must name the columns: ${columns.join(',')}`] };
  }
  const read = rows.map(({ values, line }) => ({ line, ...readRow(header, values) }));
  const problems = read.flatMap(({ line, problem }) => (problem === undefined ? [] : [`Line ${line}: ${problem}`]));
  const named = read.flatMap(({ line, entry }) => (entry ? [{ line, entry }] : []));
  const { entries, issues } = checkEntries(
    named.map(({ entry }) => entry),
    now,
  );
  const wrong = issues.map(({ index, field, message }) => `Line ${named[index]?.line}: ${field} ${message}`);
  return { entries, problems: [...problems, ...wrong] };
}

interface CsvRecord {
  readonly values: readonly string[];
  /** Number of the last line of the record. */
  readonly line: number;
}

function recordsOf(text: string): readonly CsvRecord[] | { readonly problem: string } {
  try {
    const options = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const;
    const lines: CsvRecord[] = [];
    parse(text, {
      ...options,
      on_record: (values: string[], { lines: line }) => {
        lines.push({ values, line });
        return null;
      },
    });
    return lines;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problem: `Line ${error.lines}: quotation marks do not match` };
  }
}

function readRow(
  header: readonly string[],
  values: readonly string[],
):
  | { readonly entry: WantedEntry; readonly problem?: undefined }
  | { readonly problem: string; readonly entry?: undefined } {
  if (values.length !== header.length) {
    return { problem: `it has ${values.length} values, and the first line has ${header.length}` };
  }
  const cellOf = (name: Column) => (values[header.indexOf(name)] ?? '').replace(/^'(?=[=+\-@\t\r])/, '');
  const kind: ListKind | undefined = listKinds.find((each) => each === cellOf('kind'));
  if (kind === undefined) return { problem: `kind must be one of: ${listKinds.join(', ')}` };
  const effect: ListEffect | undefined = listEffects.find((each) => each === cellOf('effect'));
  if (effect === undefined) return { problem: `effect must be one of: ${listEffects.join(', ')}` };
  const expires = cellOf('expires_at');
  if (expires !== '' && !isDateOrTimestamp(expires)) return { problem: `expires_at must be ${momentForm}` };
  const expiresAt = expires === '' ? undefined : new Date(expires);
  return { entry: { kind, value: cellOf('value'), effect, note: cellOf('note'), expiresAt } };
}
