import { positionOfCreation } from '../../../ground/db/position-rules.js';
import type { WorldMode } from '../../../ground/db/schema/index.js';
import { type Download, exportList } from '../../filters/export.js';
import type { ExportColumns } from '../../filters/rules/export-lines.js';
import type { Caller, ReadBy, Service } from '../../service.js';
import { toUserSummary } from '../present.js';
import type { UserRow } from '../queries/users.js';
import { userFilters } from './rules/filters.js';
import { findMatchingUsers, type UserQuery } from './search.js';

/**
 * Records that users are exported, and returns them as text in parts, newest first. They are read with `reader`.
 * Contacts are masked.
 */
export async function exportUsers(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  download: Download<UserQuery>,
): Promise<AsyncGenerator<string>> {
  return exportList(service, caller, download, {
    kind: 'users_exported',
    filters: userFilters,
    columns: columnsOf(service),
    read: (request) => findMatchingUsers(reader, caller, download.query, request),
    positionOf: positionOfCreation,
  });
}

const columnsOf = (service: Service): ExportColumns<UserRow> => ({
  user_id: ({ id }) => id,
  user: ({ external_id }) => external_id,
  createdAt: ({ created_at }) => created_at,
  status: ({ status }) => status,
  email: (row) => toUserSummary(service, row).email,
  phone: (row) => toUserSummary(service, row).phone,
  disowned_at: ({ disowned_at }) => disowned_at,
  metadata: ({ metadata }) => JSON.stringify(metadata),
});
