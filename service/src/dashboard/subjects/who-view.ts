import { html } from 'hono/html';
import { partSize, start } from '../../ground/db/position-rules.js';
import { countryName } from '../view/address.js';
import { deviceLink, deviceState, linkedLink, type Place, pager, subjectLink, userLink } from '../view/cells.js';
import { type Cell, emptyState, type Html, numberColumn, section, table, time, wholeNumber } from '../view/parts.js';
import type { ShownSubject, SubjectPageRequest } from './load.js';
import type { CountedUser, Subject, Tally } from './rules.js';

/** Renders the users of a subject, most recently seen first. */
export function usersPart(place: Place, shown: ShownSubject, from: SubjectPageRequest): Html {
  const { subject, summary, usersThere } = shown;
  if (usersThere) return usersOfAddress(place, shown, from);
  const { users } = summary;
  if (users.length === 0) return section('Users', emptyState('No users among the evaluations that were counted.'));
  const rows = users
    .slice(0, partSize)
    .map((user) => [
      userLink(place, user.userId, user.externalUser),
      time(user.lastSeenAt),
      user.evaluations,
      user.notAllowed,
      linkedLink(place, user.userId),
    ]);
  const columns = ['User', 'Last seen', numberColumn('Evaluations'), numberColumn('Not allowed'), 'Linked accounts'];
  const note =
    users.length > partSize &&
    html`<p class="quiet">The ${partSize} most recently seen of ${wholeNumber(users.length)} users.</p>`;
  return section('Users', html`${table(columns, rows, `Users of ${subject.value}`)}${note}`);
}

/** Lists all users who were ever seen at an address, by an index. */
function usersOfAddress(
  place: Place,
  { subject, summary, usersThere }: ShownSubject,
  { users: from }: SubjectPageRequest,
): Html {
  const { rows: found = [], next } = usersThere ?? {};
  if (found.length === 0) return section('Users', emptyState('No user was seen at this address.'));
  const counted = new Map(summary.users.map((user) => [user.userId, user]));
  const countOf = (id: string, name: keyof Pick<CountedUser, 'evaluations' | 'notAllowed'>) =>
    counted.get(id)?.[name] ?? 0;
  const rows = found.map(({ id, external_id, seen_at }) => [
    userLink(place, id, external_id),
    time(seen_at),
    countOf(id, 'evaluations'),
    countOf(id, 'notAllowed'),
    linkedLink(place, id),
  ]);
  const columns = [
    'User',
    'Last seen here',
    numberColumn('Evaluations'),
    numberColumn('Not allowed'),
    'Linked accounts',
  ];
  const path = `${place.base}/subjects/address`;
  const pages = pager({ path, name: 'users', next, isFirst: from === start, keep: { value: subject.value } });
  return section('Users', html`${table(columns, rows, 'Users of the address')}${pages}`);
}

/** Renders the devices of a subject. */
export function devicesPart(place: Place, { subject, summary, devices, deviceCount }: ShownSubject): Html {
  if (devices.length === 0) return section('Devices', emptyState(noDevices(subject)));
  const rows = devices.map((device) => [
    deviceLink(place, device._id, device.info.label),
    userLink(place, device.user, device.external_user),
    deviceState(device),
    time(device.last_seen_at),
    device.last_ip && subjectLink(place, 'address', device.last_ip),
  ]);
  const count = deviceCount ?? summary.deviceIds.length;
  const order = subject.kind === 'hardware' ? 'newest' : 'most recently seen';
  const note =
    count > devices.length &&
    html`<p class="quiet">The ${devices.length} ${order} of ${wholeNumber(count)} devices.</p>`;
  return section(
    'Devices',
    html`${table(['Device', 'User', 'Status', 'Last seen', 'Last IP address'], rows, 'Devices')}${note}`,
  );
}

function noDevices({ kind }: Subject): string {
  return kind === 'hardware'
    ? 'No device has this hardware. Devices are found by it while the project uses hardware IDs.'
    : 'No attached devices among the evaluations that were counted.';
}

/** Renders the addresses, networks and countries of the counted evaluations. */
export function wherePart(place: Place, { subject, summary }: ShownSubject): Html {
  const { addresses, networks, countries, organisations } = summary;
  const all = [
    {
      kind: 'address',
      title: 'IP addresses',
      column: 'IP address',
      tallies: addresses,
      text: (value: string) => value,
    },
    {
      kind: 'asn',
      title: 'Networks',
      column: 'Network',
      tallies: networks,
      text: (value: string) => [`AS${value}`, organisations.get(value)].filter(Boolean).join(' '),
    },
    { kind: 'country', title: 'Countries', column: 'Country', tallies: countries, text: countryName },
  ] as const;
  const others = all.filter(({ kind, tallies }) => kind !== subject.kind && tallies.length > 0);
  if (others.length === 0 || subject.kind === 'address') return html``;
  const part = ({ kind, title, column, tallies, text }: (typeof all)[number]) => {
    const row = ({ value, count }: Tally): Cell[] => [subjectLink(place, kind, value, text(value)), count];
    return section(title, table([column, numberColumn('Evaluations')], tallies.map(row), title));
  };
  return html`<div class="grid">${others.map(part)}</div>`;
}
