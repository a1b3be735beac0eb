import { html } from 'hono/html';
import type { DetachCause, Device, User } from 'whorl/wire';
import type { AdminActionName } from '../../db/schema/index.js';
import { challengesTable } from '../challenges/view.js';
import { deviceActs } from '../devices/view.js';
import { type Part, type Position, start } from '../position-rules.js';
import {
  challengeLink,
  code,
  deviceLink,
  deviceState,
  evaluationLink,
  metadataList,
  type Place,
  reasonList,
  userLink,
  verdicts,
  wayOn,
  whole,
} from '../view/cells.js';
import { confirmed, searchForm } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, emptyState, form, type Html, section, table, time } from '../view/parts.js';
import { adminActionWords, detachWords, eventWords, spaced } from '../view/words.js';
import type { FoundUsers, ListedUser, ShownUser, TimelineEntry, UserPageRequest } from './load.js';
import type { UserAddressRow } from './one-user-queries.js';

export interface UserPage {
  readonly place: Place;
  readonly shown: ShownUser;
  readonly from: UserPageRequest;
  readonly now: Date;
}

/** One user with all that is known of it. */
export function userPage({ place, shown, from, now }: UserPage): DashboardPage {
  const { user, devices, addresses, hasMoreAddresses, challenges, timeline } = shown;
  const path = `${place.base}/users/${user._id}`;
  const way = (name: keyof UserPageRequest) =>
    wayOn({ path, name, next: shown[name].next, isFirst: from[name] === start });
  const body = html`<div class="grid">
${section('User', [userFacts(user), statusAct(place, user)])}
${section('Metadata', metadataList(user.metadata))}
</div>
${section('Devices', html`${devicesTable(place, devices.rows)}${way('devices')}`)}
${section('Addresses', addressesTable(addresses, hasMoreAddresses, now))}
${section('Challenges', html`${challengesTable(place, challenges.rows, { withUser: false })}${way('challenges')}`)}
${section('Timeline', html`${timeline.rows.length > 0 ? timelineTable(place, timeline.rows) : emptyState('Nothing happened here.')}${way('timeline')}`)}`;
  return { title: user.external_id, section: 'users', body };
}

function userFacts({ _id, external_id, status, email, phone, createdAt, updatedAt }: User): Html {
  return definitionList([
    ['Your identifier', external_id],
    ['Id', code(_id)],
    ['Status', badge(status)],
    ['Mail', email],
    ['Phone', phone],
    ['Since', time(createdAt)],
    ['Changed', time(updatedAt)],
  ]);
}

function statusAct(place: Place, { _id, status }: User): Html {
  const path = `${place.base}/users/${_id}`;
  const act =
    status === 'active'
      ? {
          name: 'Suspend',
          effect: 'Every evaluation of this user is denied, and its pages sign out, until you lift the suspension.',
          action: `${path}/suspend`,
          danger: true,
        }
      : {
          name: 'Lift the suspension',
          effect: 'The user is judged like any other again.',
          action: `${path}/activate`,
        };
  return html`<div class="acts">${confirmed(place, act)}</div>`;
}

function devicesTable(place: Place, devices: readonly Device[]): Html {
  if (devices.length === 0) return emptyState('No devices.');
  const rows = devices.map((device) => [
    deviceLink(place, device._id, device.info.label),
    deviceState(device),
    time(device.last_seen_at),
    whole(device.last_ip),
    deviceActs(place, device, 'user'),
  ]);
  return table(['Device', 'State', 'Last seen', 'Address', 'Do'], rows, 'Devices of the user');
}

function addressesTable(addresses: readonly UserAddressRow[], hasMore: boolean, now: Date): Html {
  if (addresses.length === 0) return emptyState('No addresses.');
  const rows = addresses.map(({ network, seen_at, trusted_until }) => [
    whole(network),
    seen_at ? time(seen_at) : 'never',
    trustOf(trusted_until, now),
  ]);
  return html`${table(['Address', 'Last seen', 'Trusted'], rows, 'Addresses of the user')}
${hasMore && html`<p class="quiet">Older ones are not shown.</p>`}`;
}

function trustOf(until: Date | null, now: Date): Html | string {
  if (!until) return 'no';
  return until > now ? html`<span>until ${time(until)}</span>` : html`<span>no more, since ${time(until)}</span>`;
}

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>;

/** What happened to a user, one line each. */
export function timelineTable(place: Place, entries: readonly TimelineEntry[]): Html {
  const rows = entries.map((entry) => [time(entry.at), ...lineOf(place, entry)]);
  return table(['When', 'What', 'Outcome', 'More'], rows, 'Timeline');
}

function lineOf(place: Place, entry: TimelineEntry): readonly [what: Cell, outcome: Cell, more: Cell] {
  switch (entry.kind) {
    case 'evaluation':
      return evaluationLine(place, entry);
    case 'challenge':
      return challengeLine(place, entry);
    case 'event':
      return eventLine(place, entry);
    case 'admin_action':
      return adminLine(place, entry);
  }
}

function evaluationLine(place: Place, { id, detail }: EntryOf<'evaluation'>) {
  const { action, verdict, observed_verdict, reasons, device_id, ip } = detail;
  const device = device_id && deviceLink(place, device_id, 'device');
  const more = html`<span>${reasonList(reasons)}${device && html` ${device}`}${ip && html` ${whole(ip)}`}</span>`;
  return [
    evaluationLink(place, id, `Evaluation: ${spaced(action)}`),
    verdicts(verdict, observed_verdict),
    more,
  ] as const;
}

function challengeLine(place: Place, { id, detail }: EntryOf<'challenge'>) {
  const { action, status, reasons } = detail;
  return [challengeLink(place, id, `Challenge: ${spaced(action)}`), badge(status), reasonList(reasons)] as const;
}

function eventLine(place: Place, { detail }: EntryOf<'event'>) {
  const { type, device_id, challenge_id, cause } = detail;
  const links = [
    challenge_id && challengeLink(place, challenge_id, 'challenge'),
    device_id && deviceLink(place, device_id, 'device'),
  ].filter(Boolean);
  const why = cause && isDetachCause(cause) ? detachWords[cause] : undefined;
  return [eventWords[type], why, links.length > 0 ? html`<span>${links}</span>` : undefined] as const;
}

function isDetachCause(cause: string): cause is DetachCause {
  return Object.hasOwn(detachWords, cause);
}

function adminLine(place: Place, { detail }: EntryOf<'admin_action'>) {
  const { action, subject, admin } = detail;
  return [
    adminActionWords[action],
    `by ${admin ?? 'a former administrator'}`,
    subjectOf(place, action, subject),
  ] as const;
}

function subjectOf(place: Place, action: AdminActionName, subject: string): Html | undefined {
  if (action === 'suspend' || action === 'activate') return undefined;
  if (action === 'label_fraud' || action === 'label_legitimate') return evaluationLink(place, subject, 'evaluation');
  return deviceLink(place, subject, 'device');
}

/** The newest users, and a search. */
export function usersPage(place: Place, { rows, next }: Part<ListedUser>, from: Position): DashboardPage {
  const path = `${place.base}/users`;
  const list =
    rows.length > 0
      ? html`${usersTable(place, rows)}${wayOn({ path, name: 'from', next, isFirst: from === start })}`
      : emptyState('No users yet. The first evaluation or attachment with a secret key makes one.');
  return { title: 'Users', section: 'users', body: html`${search(place)}${section('Newest', list)}` };
}

/** What a search found. */
export function foundUsersPage(place: Place, text: string, { as, users, next }: FoundUsers): DashboardPage {
  const list =
    users.length > 0
      ? html`${usersTable(place, users)}${next !== undefined && goOn(place, text, next)}`
      : emptyState('Nobody was found.');
  const title = as === 'address' ? 'Seen at this address' : 'Found';
  return { title: 'Users', section: 'users', body: html`${search(place, text)}${section(title, list)}` };
}

function search(place: Place, value?: string): Html {
  return searchForm(place, {
    action: `${place.base}/users/search`,
    label: 'Find users',
    hint: 'Your identifier of the user or its beginning, a mail address, a phone number (+…), an IP address, or the id of a user or device.',
    value,
  });
}

function goOn(place: Place, text: string, after: string): Html {
  const content = html`<input type="hidden" name="q" value="${text}"/><input type="hidden" name="after" value="${after}"/>`;
  return form(place, { action: `${place.base}/users/search`, submit: 'More', content });
}

function usersTable(place: Place, users: readonly ListedUser[]): Html {
  const atAddress = users.some(({ seenAt }) => seenAt);
  const columns = ['User', 'Mail', 'Phone', 'Status', atAddress ? 'Seen there' : 'Since'];
  const rows = users.map(({ _id, external_id, email, phone, status, createdAt, seenAt }) => [
    userLink(place, _id, external_id),
    email,
    phone,
    badge(status),
    time(seenAt ?? createdAt),
  ]);
  return table(columns, rows, 'Users');
}
