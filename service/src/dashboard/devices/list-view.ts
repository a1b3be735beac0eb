import { html } from 'hono/html';
import type { Device } from 'whorl/wire';
import { deviceFilters } from '../../resources/devices/search/rules/filters.js';
import { type FilteredList, type FilteredListForm, filteredList } from '../filters/filter-view.js';
import { selectableTable } from '../many/select-view.js';
import { addressLink, deviceLink, deviceState, type Place, userLink } from '../view/cells.js';
import { searchForm } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, type Html, section, time } from '../view/parts.js';

const form: FilteredListForm = {
  name: 'devices',
  table: deviceFilters,
  first: ['status', 'kind', 'os', 'browser', 'user'],
  further: [
    ...['seen_start_date', 'seen_end_date', 'trusted', 'proven', 'disowned', 'ip', 'country', 'asn', 'address_kind'],
    ...['fingerprint_id', 'hardware_id'],
  ],
};

/** Renders devices, most recently seen first, with filters and a search. */
export function devicesPage(place: Place, shown: FilteredList<Device>): DashboardPage {
  const list =
    shown.part.rows.length > 0
      ? devicesTable(place, shown.part.rows)
      : emptyState('No devices found. An allowed evaluation or a completed challenge attaches a device.');
  const body = html`${search(place)}${filteredList(place, form, shown, { title: 'Recently seen devices', rows: list })}`;
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
    hint: 'Enter a device ID, a browser ID or a fingerprint.',
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
