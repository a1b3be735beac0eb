import { readPosition } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { actOnDevice, type DeviceAction } from '../admin-actions.js';
import { actorOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { readSearch } from '../users/load.js';
import { deviceStatuses, devicesPage, noDevicePage, sharingDevicesPage } from './list-view.js';
import { findDevices, listDevices, listSharingDevices, showDevice } from './load.js';
import { devicePage } from './view.js';

const path = '/dashboard/{project}/{mode}/devices';
const maxFingerprintLength = 4096;

async function list(request: DashboardRequest): Promise<DashboardPage> {
  const { reader, caller, query } = request;
  const from = readPosition(query.get('from'));
  const fingerprintId = query.get('fingerprint_id');
  if (fingerprintId !== null) {
    const sharing = await listSharingDevices(reader, caller, fingerprintId, from);
    if (!sharing) throw new ApiError('not_found', { detail: 'There is no device with this fingerprint_id.' });
    return sharingDevicesPage(request, sharing, { fingerprintId, from });
  }
  const status = deviceStatuses.find((one) => one === query.get('status')) ?? 'attached';
  return devicesPage(request, await listDevices(reader, caller, status, from), { status, from });
}

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
  dashboardRoute({ method: 'get', path, permission: 'view', handle: list }),
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
