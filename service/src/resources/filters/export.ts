import type { Period } from '../../ground/db/paging.js';
import { type Position, start } from '../../ground/db/position-rules.js';
import type { Scan } from '../../ground/db/scan-queries.js';
import type { WorldMode } from '../../ground/db/schema/index.js';
import { type Origin, recordAudit } from '../audit/audit.js';
import type { AuditKind } from '../audit/rules/audit.js';
import type { Caller, Service } from '../service.js';
import { type ExportColumns, type ExportFormat, exportText } from './rules/export-lines.js';
import { describeFilter, type FilterTable } from './rules/filter.js';

const batchSize = 1000;

/** A download of a list that somebody asks for. */
export interface Download<Query> {
  readonly query: Query;
  readonly format: ExportFormat;
  readonly origin: Origin;
}

/** A list that can be downloaded as text. */
export interface ListExport<Row> {
  /** Kind of the entry in the audit log. */
  readonly kind: AuditKind;
  readonly filters: FilterTable;
  readonly columns: ExportColumns<Row>;
  /** Returns the next rows, and where the search stopped. */
  readonly read: (request: { readonly from: Position; readonly limit: number }) => Promise<Scan<Row>>;
  readonly positionOf: (row: Row) => Position;
}

/**
 * Records that rows of a list are exported, and returns them as text in parts, in the order of the list. A part can be
 * empty, so that a reader can stop a search that finds little.
 */
export async function exportList<Row>(
  service: Service,
  { project, mode }: Caller & { readonly mode: WorldMode },
  { query: { start: since, end: until, ...filter }, format, origin }: Download<Period>,
  list: ListExport<Row>,
): Promise<AsyncGenerator<string>> {
  const period = { start_date: since?.toISOString(), end_date: until?.toISOString() };
  const details = { format, filter: describeFilter(list.filters, { ...filter, ...period }) };
  await recordAudit(service.db, service, { ...origin, kind: list.kind, projectId: project.id, mode, details });
  return partsOf(list, format);
}

async function* partsOf<Row>(
  { columns, read, positionOf }: ListExport<Row>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { first, lineOf } = exportText(columns, format);
  yield first;
  for (let from: Position = start; ; ) {
    const { rows, stoppedAt } = await read({ from, limit: batchSize });
    yield rows.map((row) => `${lineOf(row)}\n`).join('');
    const last = rows.length === batchSize ? rows.at(-1) : undefined;
    const next = last ? positionOf(last) : stoppedAt;
    if (!next) return;
    from = next;
  }
}
