import type { WorldMode } from '../../../ground/db/schema/index.js';
import { type Download, exportList } from '../../filters/export.js';
import type { ExportColumns } from '../../filters/rules/export-lines.js';
import type { Caller, ReadBy } from '../../service.js';
import { deviceFilters } from './rules/filters.js';
import { type DeviceQuery, findMatchingDevices, type NamedDeviceRow, positionOfDevice } from './search.js';

/** Records that devices are exported, and returns them as text in parts, most recently seen first. */
export async function exportDevices(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  download: Download<DeviceQuery>,
): Promise<AsyncGenerator<string>> {
  return exportList(service, caller, download, {
    kind: 'devices_exported',
    filters: deviceFilters,
    columns,
    read: (request) => findMatchingDevices(reader, caller, download.query, request),
    positionOf: positionOfDevice,
  });
}

const columns: ExportColumns<NamedDeviceRow> = {
  device_id: ({ id }) => id,
  user: ({ external_id }) => external_id,
  user_id: ({ user_id }) => user_id,
  fingerprint_id: ({ identity_id }) => identity_id,
  createdAt: ({ created_at }) => created_at,
  last_seen_at: ({ last_seen_at }) => last_seen_at,
  status: ({ status }) => status,
  trusted: ({ trusted }) => trusted,
  whitelisted: ({ whitelisted }) => whitelisted,
  proven: ({ proven }) => proven,
  kind: ({ kind }) => kind,
  os: ({ info }) => info.os,
  browser: ({ info }) => info.browser,
  last_ip: ({ last_ip }) => last_ip,
  detached_at: ({ detached_at }) => detached_at,
  disowned_at: ({ disowned_at }) => disowned_at,
};
