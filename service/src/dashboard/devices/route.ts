import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { actOnDevice, type DeviceAction } from '../admin-actions.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { readPosition } from '../position-rules.js';
import { readSearch } from '../users/load.js';
import { actorOf } from '../visit.js';
import { deviceStatuses, devicesPage, noDevicePage, sharingDevicesPage } from './list-view.js';
import { findDevices, listDevices, listSharingDevices, showDevice } from './load.js';
import { devicePage } from './view.js';

const path = '/dashboard/{project}/{mode}/devices';
const maxFingerprintLength = 4096;

async function list(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller, query } = visit;
  const from = readPosition(query.get('from'));
  const fingerprintId = query.get('fingerprint_id');
  if (fingerprintId !== null) {
    const sharing = await listSharingDevices(service, caller, fingerprintId, from);
    if (!sharing) throw new ApiError('not_found', { detail: 'There is no device with this fingerprint_id.' });
    return sharingDevicesPage(visit, sharing, { fingerprintId, from });
  }
  const status = deviceStatuses.find((one) => one === query.get('status')) ?? 'attached';
  return devicesPage(visit, await listDevices(service, caller, status, from), { status, from });
}

async function search(visit: DashboardVisit): Promise<DashboardPage | Response> {
  const { service, caller, fields } = visit;
  const text = readSearch(fields.get('q'), maxFingerprintLength);
  if (text === undefined) return redirectWithNotice(visit, '/devices');
  const found = await findDevices(service, caller, text);
  if (!found) return noDevicePage(visit, text);
  if ('deviceId' in found) return redirectWithNotice(visit, `/devices/${found.deviceId}`);
  return redirectWithNotice(visit, `/devices?fingerprint_id=${found.fingerprintId}`);
}

async function show(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller, params, query } = visit;
  const from = {
    evaluations: readPosition(query.get('evaluations')),
    sharers: readPosition(query.get('sharers')),
  };
  const shown = await showDevice(service, caller, params.id ?? '', from);
  if (!shown) throw new ApiError('not_found', { detail: 'There is no device with this ID.' });
  return devicePage({ place: visit, shown, from, variantId: query.get('variant') });
}

const outdated = {
  kind: 'bad',
  text: 'Nothing was changed because the device has changed since you opened the page. Check its current status below.',
} as const;

function act(name: DeviceAction, text: string): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `${path}/{id}/${name}`,
    answer: async (visit) => {
      const { service, params, fields } = visit;
      const { deviceId, userId, isChanged } = await actOnDevice(service, actorOf(visit), params.id ?? '', name);
      const page = fields.get('from') === 'user' ? `/users/${userId}` : `/devices/${deviceId}`;
      return redirectWithNotice(visit, page, isChanged ? { kind: 'good', text } : outdated);
    },
  });
}

export const devices: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, answer: list }),
  dashboardRoute({ method: 'post', path: `${path}/search`, answer: search }),
  dashboardRoute({ method: 'get', path: `${path}/search`, answer: (visit) => redirectWithNotice(visit, '/devices') }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, answer: show }),
  act('detach', 'The device is signed out.'),
  act('block', 'The device is blocked.'),
  act('unblock', 'The device is no longer blocked.'),
  act('trust', 'The device is permanently trusted.'),
  act('distrust', 'The device is no longer permanently trusted.'),
];
