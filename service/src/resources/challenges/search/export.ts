import { positionOfCreation } from '../../../ground/db/position-rules.js';
import type { WorldMode } from '../../../ground/db/schema/index.js';
import { type Download, exportList } from '../../filters/export.js';
import type { ExportColumns } from '../../filters/rules/export-lines.js';
import type { Caller, ReadBy } from '../../service.js';
import type { ListedChallengeRow } from './queries.js';
import { challengeFilters } from './rules/filters.js';
import { type ChallengeQuery, findMatchingChallenges } from './search.js';

/** Records that challenges are exported, and returns them as text in parts, newest first. They have no codes. */
export async function exportChallenges(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  download: Download<ChallengeQuery>,
): Promise<AsyncGenerator<string>> {
  return exportList(service, caller, download, {
    kind: 'challenges_exported',
    filters: challengeFilters,
    columns,
    read: (request) => findMatchingChallenges(reader, caller, download.query, request),
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
