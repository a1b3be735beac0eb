import { z } from 'zod';
import { readPosition } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { filterField } from '../../http/schemas/filter-field.js';
import {
  inOrder,
  momentFields,
  wereSeenInOrder,
  withPeriod,
  wrongOrder,
  wrongSeenOrder,
} from '../../http/schemas/query.js';
import { exportDevices } from '../../resources/devices/search/export.js';
import { deviceFilters } from '../../resources/devices/search/rules/filters.js';
import { actOnDevice, type DeviceAction } from '../admin-actions.js';
import { actorOf, originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { filteredListRoutes } from '../filters/filtered-list-route.js';
import { readSearch } from '../users/load.js';
import { devicesPage, noDevicePage } from './list-view.js';
import { findDevices, listDevices, showDevice } from './load.js';
import { devicePage } from './view.js';

const path = '/dashboard/{project}/{mode}/devices';
const filterFields = {
  status: filterField(deviceFilters.status),
  user: filterField(deviceFilters.user),
  user_id: filterField(deviceFilters.user_id),
  fingerprint_id: filterField(deviceFilters.fingerprint_id),
  hardware_id: filterField(deviceFilters.hardware_id),
  trusted: filterField(deviceFilters.trusted),
  proven: filterField(deviceFilters.proven),
  disowned: filterField(deviceFilters.disowned),
  kind: filterField(deviceFilters.kind),
  os: filterField(deviceFilters.os),
  browser: filterField(deviceFilters.browser),
  ip: filterField(deviceFilters.ip),
  country: filterField(deviceFilters.country),
  asn: filterField(deviceFilters.asn),
  address_kind: filterField(deviceFilters.address_kind),
  seen_start_date: filterField(deviceFilters.seen_start_date),
  seen_end_date: filterField(deviceFilters.seen_end_date),
  ...momentFields,
} satisfies Readonly<Record<keyof typeof deviceFilters | keyof typeof momentFields, z.ZodType>>;

const maxFingerprintLength = 4096;

const list = filteredListRoutes({
  name: 'devices',
  table: deviceFilters,
  schema: z.object(filterFields).refine(inOrder, wrongOrder).refine(wereSeenInOrder, wrongSeenOrder),
  page: async (request, { filter, query, from }) => {
    const part = query ? await listDevices(request.reader, request.caller, withPeriod(query), from) : { rows: [] };
    return devicesPage(request, { part, from, filter });
  },
  exported: (request, query, format) =>
    exportDevices(request, request.caller, { query: withPeriod(query), format, origin: originOf(request) }),
});

async function search(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { reader, caller, fields } = request;
  const text = readSearch(fields.get('q'), maxFingerprintLength);
  if (text === undefined) return redirectWithNotice(request, '/devices');
  const found = await findDevices(reader, caller, text);
  if (!found) return noDevicePage(request, text);
  if ('deviceId' in found) return redirectWithNotice(request, `/devices/${found.deviceId}`);
  return redirectWithNotice(request, `/devices?fingerprint_id=${found.fingerprintId}`);
}

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { reader, caller, params, query } = request;
  const from = {
    evaluations: readPosition(query.get('evaluations')),
    sharers: readPosition(query.get('sharers')),
  };
  const shown = await showDevice(reader, caller, params.id ?? '', from);
  if (!shown) throw new ApiError('not_found', { detail: 'There is no device with this ID.' });
  return devicePage({ place: request, shown, from, variantId: query.get('variant') });
}

const outdated = {
  kind: 'bad',
  text: 'Nothing was changed because the device has changed since you opened the page. Check its current status below.',
} as const;

function act(name: DeviceAction, text: string): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `${path}/{id}/${name}`,
    permission: 'act',
    handle: async (request) => {
      const { service, params, fields } = request;
      const { deviceId, userId, isChanged } = await actOnDevice(service, actorOf(request), params.id ?? '', name);
      const page = fields.get('from') === 'user' ? `/users/${userId}` : `/devices/${deviceId}`;
      return redirectWithNotice(request, page, isChanged ? { kind: 'good', text } : outdated);
    },
  });
}

export const devices: readonly PageRoute[] = [
  ...list,
  dashboardRoute({ method: 'post', path: `${path}/search`, permission: 'view', onlyReads: true, handle: search }),
  dashboardRoute({
    method: 'get',
    path: `${path}/search`,
    permission: 'view',
    handle: (request) => redirectWithNotice(request, '/devices'),
  }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: show }),
  act('detach', 'The device is signed out.'),
  act('block', 'The device is blocked.'),
  act('unblock', 'The device is no longer blocked.'),
  act('trust', 'The device is permanently trusted.'),
  act('distrust', 'The device is no longer permanently trusted.'),
];
