import type { WorldMode } from '../../../ground/db/schema/index.js';
import type { Origin } from '../../audit/audit.js';
import { exportList } from '../../filters/export.js';
import type { ExportColumns, ExportFormat } from '../../filters/rules/export-lines.js';
import { describeFilter } from '../../filters/rules/filter.js';
import type { Caller, ReadBy } from '../../service.js';
import { deviceFilters } from './rules/filters.js';
import { type DeviceQuery, findMatchingDevices, type NamedDeviceRow, positionOfDevice } from './search.js';

export interface DevicesExport {
  readonly query: DeviceQuery;
  readonly format: ExportFormat;
  readonly origin: Origin;
}

/** Records that devices are exported, and returns them as text in parts, most recently seen first. */
export async function exportDevices(
  { service, reader }: ReadBy,
  caller: Caller & { readonly mode: WorldMode },
  { query, format, origin }: DevicesExport,
): Promise<AsyncGenerator<string>> {
  const { start, end, ...filter } = query;
  const period = { start_date: start?.toISOString(), end_date: end?.toISOString() };
  return exportList(service, caller, origin, {
    kind: 'devices_exported',
    filter: describeFilter(deviceFilters, { ...filter, ...period }),
    format,
    columns,
    read: (request) => findMatchingDevices(reader, caller, query, request),
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
