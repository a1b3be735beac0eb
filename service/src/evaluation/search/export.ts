import { type Position, start } from '../../ground/db/position-rules.js';
import type { WorldMode } from '../../ground/db/schema/index.js';
import { type Origin, recordAudit } from '../../resources/audit/audit.js';
import type { Caller, Service } from '../../resources/service.js';
import { type ExportFormat, firstLine, lineOf } from './export-lines.js';
import { describeFilter } from './rules/filters.js';
import { type EvaluationQuery, searchEvaluations } from './search.js';

const batchSize = 1000;

export interface EvaluationExport {
  readonly query: EvaluationQuery;
  readonly format: ExportFormat;
  readonly origin: Origin;
}

/**
 * Records that evaluations are exported, and returns them as text in parts, newest first. A part can be empty, so that a
 * reader can stop a search that finds little.
 */
export async function exportEvaluations(
  service: Service,
  caller: Caller & { readonly mode: WorldMode },
  { query, format, origin }: EvaluationExport,
): Promise<AsyncGenerator<string>> {
  const { start: since, end, ...filter } = query;
  const period = { start_date: since?.toISOString(), end_date: end?.toISOString() };
  await recordAudit(service.db, service, {
    ...origin,
    kind: 'evaluations_exported',
    projectId: caller.project.id,
    mode: caller.mode,
    details: { format, filter: describeFilter({ ...filter, ...period }) },
  });
  return partsOf(service, caller, query, format);
}

async function* partsOf(
  service: Service,
  caller: Caller,
  query: EvaluationQuery,
  format: ExportFormat,
): AsyncGenerator<string> {
  yield firstLine[format];
  for (let from: Position = start; ; ) {
    const { rows, stoppedAt } = await searchEvaluations(service, caller, query, { from, limit: batchSize });
    yield rows.map((row) => `${lineOf[format](row)}\n`).join('');
    const last = rows.length === batchSize ? rows.at(-1) : undefined;
    const next = last ? { at: last.created_at, id: last.id } : stoppedAt;
    if (!next) return;
    from = next;
  }
}
