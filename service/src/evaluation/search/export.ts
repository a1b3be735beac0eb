import { positionOfCreation } from '../../ground/db/position-rules.js';
import type { WorldMode } from '../../ground/db/schema/index.js';
import type { Origin } from '../../resources/audit/audit.js';
import { exportList } from '../../resources/filters/export.js';
import type { ExportFormat } from '../../resources/filters/rules/export-lines.js';
import { describeFilter } from '../../resources/filters/rules/filter.js';
import type { Caller, ReadBy } from '../../resources/service.js';
import { evaluationColumns } from './export-columns.js';
import { evaluationFilters } from './rules/filters.js';
import { type EvaluationQuery, searchEvaluations } from './search.js';

export interface EvaluationExport {
  readonly query: EvaluationQuery;
  readonly format: ExportFormat;
  readonly origin: Origin;
}

/** Records that evaluations are exported, and returns them as text in parts, newest first. They are read with `reader`. */
export async function exportEvaluations(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  { query, format, origin }: EvaluationExport,
): Promise<AsyncGenerator<string>> {
  const { start, end, ...filter } = query;
  const period = { start_date: start?.toISOString(), end_date: end?.toISOString() };
  return exportList(service, caller, origin, {
    kind: 'evaluations_exported',
    filter: describeFilter(evaluationFilters, { ...filter, ...period }),
    format,
    columns: evaluationColumns,
    read: (request) => searchEvaluations(reader, caller, query, request),
    positionOf: positionOfCreation,
  });
}
