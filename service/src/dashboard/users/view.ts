import { html } from 'hono/html';
import type { Device, User } from 'whorl/wire';
import { challengesTable } from '../challenges/list-view.js';
import { deviceActs } from '../devices/acts-view.js';
import { start } from '../position-rules.js';
import { confirmed } from '../view/acts.js';
import { deviceState, metadataList } from '../view/facts.js';
import type { DashboardPage } from '../view/layout.js';
import { code, deviceLink, type Place, wayOn, whole } from '../view/links.js';
import { badge, definitionList, emptyState, type Html, section, table, time } from '../view/parts.js';
import type { ShownUser, UserPageRequest } from './load-one.js';
import type { UserAddressRow } from './one-user-queries.js';
import { timelineTable } from './timeline-view.js';

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
