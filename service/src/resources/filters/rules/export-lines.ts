import { csvLine } from '../../../ground/csv-rules.js';

export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Columns of an export, each with its value. Undefined and null are left out. */
export type ExportColumns<Row> = Readonly<
  Record<string, (row: Row) => string | number | boolean | Date | readonly string[] | null | undefined>
>;

/** Text of an export. */
export interface ExportText<Row> {
  /** Text before the rows. */
  readonly first: string;
  /** Returns a row as one line, without its end. */
  readonly lineOf: (row: Row) => string;
}

/** Returns how the rows of an export are written. */
export function exportText<Row>(columns: ExportColumns<Row>, format: ExportFormat): ExportText<Row> {
  const valuesOf = (row: Row) =>
    Object.entries(columns).map(([name, read]) => [name, plain(read(row)) ?? undefined] as const);
  if (format === 'jsonl') {
    return { first: '', lineOf: (row) => JSON.stringify(Object.fromEntries(valuesOf(row))) };
  }
  return {
    first: `${csvLine(Object.keys(columns))}\n`,
    lineOf: (row) =>
      csvLine(valuesOf(row).map(([, value]) => (Array.isArray(value) ? value.join(' ') : String(value ?? '')))),
  };
}

function plain<Value>(value: Value | Date): Value | string {
  return value instanceof Date ? value.toISOString() : value;
}
