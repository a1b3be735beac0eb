import { positionOfCreation } from '../../ground/db/position-rules.js';
import type { WorldMode } from '../../ground/db/schema/index.js';
import { type Download, exportList } from '../../resources/filters/export.js';
import type { Caller, ReadBy } from '../../resources/service.js';
import { evaluationColumns } from './export-columns.js';
import { evaluationFilters } from './rules/filters.js';
import { type EvaluationQuery, searchEvaluations } from './search.js';

/** Records that evaluations are exported, and returns them as text in parts, newest first. They are read with `reader`. */
export async function exportEvaluations(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  download: Download<EvaluationQuery>,
): Promise<AsyncGenerator<string>> {
  return exportList(service, caller, download, {
    kind: 'evaluations_exported',
    filters: evaluationFilters,
    columns: evaluationColumns,
    read: (request) => searchEvaluations(reader, caller, download.query, request),
    positionOf: positionOfCreation,
  });
}
