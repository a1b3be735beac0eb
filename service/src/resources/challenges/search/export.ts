import { positionOfCreation } from '../../../ground/db/position-rules.js';
import type { WorldMode } from '../../../ground/db/schema/index.js';
import type { Origin } from '../../audit/audit.js';
import { exportList } from '../../filters/export.js';
import type { ExportColumns, ExportFormat } from '../../filters/rules/export-lines.js';
import { describeFilter } from '../../filters/rules/filter.js';
import type { Caller, ReadBy } from '../../service.js';
import type { ListedChallengeRow } from './queries.js';
import { challengeFilters } from './rules/filters.js';
import { type ChallengeQuery, findMatchingChallenges } from './search.js';

export interface ChallengesExport {
  readonly query: ChallengeQuery;
  readonly format: ExportFormat;
  readonly origin: Origin;
}

/** Records that challenges are exported, and returns them as text in parts, newest first. They have no codes. */
export async function exportChallenges(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  { query, format, origin }: ChallengesExport,
): Promise<AsyncGenerator<string>> {
  const { start, end, ...filter } = query;
  const period = { start_date: start?.toISOString(), end_date: end?.toISOString() };
  return exportList(service, caller, origin, {
    kind: 'challenges_exported',
    filter: describeFilter(challengeFilters, { ...filter, ...period }),
    format,
    columns,
    read: (request) => findMatchingChallenges(reader, caller, query, request),
    positionOf: positionOfCreation,
  });
}

const columns: ExportColumns<ListedChallengeRow> = {
  challenge_id: ({ id }) => id,
  createdAt: ({ created_at }) => created_at,
  user: ({ external_user }) => external_user,
  user_id: ({ user_id }) => user_id,
  device_id: ({ device_id }) => device_id,
  fingerprint_id: ({ identity_id }) => identity_id,
  action: ({ action }) => action,
  status: ({ status }) => status,
  reasons: ({ reasons }) => reasons,
  verified_by: ({ verified_by }) => verified_by,
  completed_at: ({ completed_at }) => completed_at,
  expires_at: ({ expires_at }) => expires_at,
  ip: ({ ip }) => ip,
};
