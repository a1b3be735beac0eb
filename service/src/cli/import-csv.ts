import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { OperatorError } from '../ground/operator-error.js';
import { type FileRow, notUtf8, undecodable } from './import-lines.js';

const plainColumns = [
  'id',
  'email',
  'phone',
  'trusted_addresses',
  'device.fingerprint',
  'device.last_fingerprint',
  'device.trusted',
] as const;
type PlainColumn = (typeof plainColumns)[number];
/** Columns whose names end with a key that the customer chooses. */
const keyedColumns = ['metadata.', 'device.metadata.'] as const;

const known = [...plainColumns, ...keyedColumns.map((prefix) => `${prefix}<key>`)].join(', ');

/** A record of a CSV file, with the number of its last line. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads the rows of a CSV file whose first line names the columns. Each row is one user, with at most one device. Rows
 * with the same ID add to one user.
 *
 * @throws OperatorError if a column is unknown or missing, or if quotation marks do not match.
 */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let header: readonly string[] | undefined;
  for await (const { record, info } of recordsOf(lines)) {
    if (!header) {
      header = record;
      checkHeader(header);
    } else if (record.some((value) => value.includes(undecodable))) {
      yield { line: info.lines, fault: notUtf8 };
    } else if (record.length === header.length) {
      yield { line: info.lines, row: rowOf(header, record), nameOf: columnOf };
    } else {
      yield { line: info.lines, fault: `it has ${record.length} values, and the first line has ${header.length}` };
    }
  }
  if (!header) throw new OperatorError(`The file is empty. Its first line must name the columns: ${known}.`);
}

async function* recordsOf(lines: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true };
  const parser = Readable.from(withEnds(lines)).pipe(parse(options));
  try {
    yield* parser;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser's own message may quote a contact.
    throw new OperatorError(
      `Line ${error.lines}, column ${Number(error.column) + 1}: quotation marks do not match. Put a value with quotation marks in quotation marks, and double those inside. The lines before it were imported.`,
      { cause: error },
    );
  }
}

/** With one character for each end, because the parser counts "\r\n" in quotation marks as two lines. */
async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function checkHeader(header: readonly string[]): void {
  for (const [at, name] of header.entries()) {
    const problem = problemOf(name, header.indexOf(name) !== at);
    // Not quoted: without a header, the first line contains contacts.
    if (problem) throw new OperatorError(`Line 1, column ${at + 1} ${problem}. The columns are ${known}.`);
  }
  if (!header.includes('id')) throw new OperatorError(`Line 1 has no column "id". The columns are ${known}.`);
}

function problemOf(name: string, isRepeated: boolean): string | undefined {
  const isKnown =
    isPlain(name) || keyedColumns.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);
  if (!isKnown) return 'does not have the name of a known column';
  return isRepeated ? 'has the name of an earlier column' : undefined;
}

function isPlain(name: string): name is PlainColumn {
  return plainColumns.some((column) => column === name);
}

/** Returns the row as the API expects it. Empty values are absent. */
function rowOf(header: readonly string[], record: readonly string[]): object {
  const values = header.map((name, at) => [name, record[at] ?? ''] as const).filter(([, value]) => value !== '');
  const below = (prefix: string) =>
    values.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : []));
  const { trusted, ...device } = Object.fromEntries(below('device.').filter(([name]) => !name.includes('.')));
  const { trusted_addresses: addresses, ...user } = Object.fromEntries(values.filter(([name]) => !name.includes('.')));
  const hasDevice = below('device.').length > 0;
  return {
    ...user,
    ...withMetadata(below('metadata.')),
    ...(addresses && { trusted_addresses: addresses.split(/[\s;]+/) }),
    ...(hasDevice && {
      devices: [
        { ...device, ...withMetadata(below('device.metadata.')), ...(trusted && { trusted: booleanOf(trusted) }) },
      ],
    }),
  };
}

function withMetadata(entries: readonly (readonly [string, string])[]): object {
  return entries.length > 0 ? { metadata: Object.fromEntries(entries) } : {};
}

/** Leaves other texts to the validation, which refuses them. */
function booleanOf(text: string): boolean | string {
  return text === 'true' || (text === 'false' ? false : text);
}

/** Returns the column of a field of the API, such as `devices.0.fingerprint`. */
function columnOf(path: string): string {
  return `column ${path.replace(/^devices\.0\b/, 'device').replace(/^trusted_addresses\..*/, 'trusted_addresses')}`;
}
