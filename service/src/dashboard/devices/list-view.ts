import { html } from 'hono/html';
import type { Device, DeviceStatus } from 'whorl/wire';
import { type Part, type Position, start } from '../../ground/db/position-rules.js';
import { selectableTable } from '../many/select-view.js';
import { addressLink, code, deviceLink, deviceState, type Place, pager, userLink } from '../view/cells.js';
import { searchForm, tabs } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, section, time } from '../view/parts.js';

export const deviceStatuses: readonly DeviceStatus[] = ['attached', 'pending', 'detached', 'blocked'];

/** How a device gets a status. */
const comesFrom: Readonly<Record<DeviceStatus, string>> = {
  attached: 'An allowed evaluation or a completed challenge attaches a device.',
  pending: 'A new device is pending until its challenge is completed.',
  detached: 'Signing out a device detaches it, and so does a period without use.',
  blocked: 'Devices are blocked on their pages, or by your server.',
};

/** Renders devices of one status, most recently seen first, and a search. */
export function devicesPage(
  place: Place,
  { rows, next }: Part<Device>,
  { status, from }: { readonly status: DeviceStatus; readonly from: Position },
): DashboardPage {
  const path = `${place.base}/devices`;
  const statusTabs = tabs(
    'Status',
    deviceStatuses.map((one) => ({ text: one, href: `${path}?status=${one}`, isCurrent: one === status })),
  );
  const pages = pager({ path, name: 'from', next, isFirst: from === start, keep: { status } });
  const list =
    rows.length > 0
      ? html`${devicesTable(place, rows)}${pages}`
      : emptyState(`No ${status} devices. ${comesFrom[status]}`);
  return {
    title: 'Devices',
    section: 'devices',
    body: html`${search(place)}${section('Recently seen devices', [statusTabs, list])}`,
  };
}

/** Renders the devices that share a fingerprint identity. */
export function sharingDevicesPage(
  place: Place,
  { rows, next }: Part<Device>,
  { fingerprintId, from }: { readonly fingerprintId: string; readonly from: Position },
): DashboardPage {
  const keep = { fingerprint_id: fingerprintId };
  const pages = pager({ path: `${place.base}/devices`, name: 'from', next, isFirst: from === start, keep });
  const list =
    rows.length > 0 ? html`${devicesTable(place, rows)}${pages}` : emptyState('No devices with this fingerprint.');
  const body = html`${search(place)}${section('Devices with this fingerprint', [html`<p>${code(fingerprintId)}</p>`, list])}`;
  return { title: 'Devices', section: 'devices', body };
}

/** Renders a search without a result. */
export function noDevicePage(place: Place, text: string): DashboardPage {
  const body = html`${search(place, text)}${section('Results', emptyState('No device with this ID or fingerprint. Check the value, or search in the other mode.'))}`;
  return { title: 'Devices', section: 'devices', body };
}

function search(place: Place, value?: string): Html {
  return searchForm(place, {
    action: `${place.base}/devices/search`,
    label: 'Find a device',
    hint: 'Enter a device ID, a fingerprint_id or a fingerprint.',
    value,
  });
}

function devicesTable(place: Place, devices: readonly Device[]): Html {
  const rows = devices.map((device) => [
    deviceLink(place, device._id, device.info.label),
    userLink(place, device.user, device.external_user),
    deviceState(device),
    time(device.last_seen_at),
    addressLink(place, device.last_ip),
  ]);
  const columns = ['Device', 'User', 'Status', 'Last seen', 'IP address'];
  const ids = devices.map(({ _id }) => _id);
  return selectableTable(place, { source: 'devices', ids, columns, rows, caption: 'Devices' });
}
