import { html } from 'hono/html';
import type { Device, DeviceStatus } from 'whorl/wire';
import { type Part, type Position, start } from '../position-rules.js';
import { code, deviceLink, deviceState, type Place, userLink, wayOn, whole } from '../view/cells.js';
import { searchForm, tabs } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, section, table, time } from '../view/parts.js';

export const deviceStatuses: readonly DeviceStatus[] = ['attached', 'pending', 'detached', 'blocked'];

/** Devices of one status, the one seen last first, and a search. */
export function devicesPage(
  place: Place,
  { rows, next }: Part<Device>,
  { status, from }: { readonly status: DeviceStatus; readonly from: Position },
): DashboardPage {
  const path = `${place.base}/devices`;
  const choice = tabs(
    'Status',
    deviceStatuses.map((one) => ({ text: one, href: `${path}?status=${one}`, isCurrent: one === status })),
  );
  const way = wayOn({ path, name: 'from', next, isFirst: from === start, keep: { status } });
  const list = rows.length > 0 ? html`${devicesTable(place, rows)}${way}` : emptyState(`No ${status} devices.`);
  return { title: 'Devices', section: 'devices', body: html`${search(place)}${section('Seen last', [choice, list])}` };
}

/** The devices that share a fingerprint identity. */
export function sharingDevicesPage(
  place: Place,
  { rows, next }: Part<Device>,
  { fingerprintId, from }: { readonly fingerprintId: string; readonly from: Position },
): DashboardPage {
  const keep = { fingerprint_id: fingerprintId };
  const way = wayOn({ path: `${place.base}/devices`, name: 'from', next, isFirst: from === start, keep });
  const list =
    rows.length > 0
      ? html`${devicesTable(place, rows)}${way}`
      : emptyState('No user has a device of this fingerprint.');
  const body = html`${search(place)}${section('Devices of one fingerprint', [html`<p>${code(fingerprintId)}</p>`, list])}`;
  return { title: 'Devices', section: 'devices', body };
}

/** A search that found nothing. */
export function noDevicePage(place: Place, text: string): DashboardPage {
  const body = html`${search(place, text)}${section('Found', emptyState('No device of this id or fingerprint was seen here.'))}`;
  return { title: 'Devices', section: 'devices', body };
}

function search(place: Place, value?: string): Html {
  return searchForm(place, {
    action: `${place.base}/devices/search`,
    label: 'Find a device',
    hint: 'The id of a device, a fingerprint_id, or a fingerprint.',
    value,
  });
}

function devicesTable(place: Place, devices: readonly Device[]): Html {
  const rows = devices.map((device) => [
    deviceLink(place, device._id, device.info.label),
    userLink(place, device.user, device.external_user),
    deviceState(device),
    time(device.last_seen_at),
    whole(device.last_ip),
  ]);
  return table(['Device', 'User', 'State', 'Last seen', 'Address'], rows, 'Devices');
}
