import { html } from 'hono/html';
import { validate as isUuid } from 'uuid';
import type { DetachCause, Device, User } from 'whorl/wire';
import { events } from '../../api/webhooks/events.js';
import { start } from '../../ground/db/position-rules.js';
import type { AdminActionName } from '../../ground/db/schema/index.js';
import { challengesTable } from '../challenges/view.js';
import { deviceActs } from '../devices/view.js';
import { addressCredits, addressSummary } from '../view/address.js';
import {
  addressLink,
  challengeLink,
  code,
  deviceLink,
  deviceState,
  evaluationLink,
  evaluationsPath,
  metadataList,
  type Place,
  pager,
  reasonList,
  verdicts,
} from '../view/cells.js';
import { type Confirming, confirmed, passwordAgain } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, emptyState, form, type Html, section, table, time } from '../view/parts.js';
import { actionWords, adminActionWords, detachWords, spaced } from '../view/words.js';
import type { ShownAddress, ShownUser, TimelineEntry, UserPageRequest } from './load.js';

export interface UserPage {
  readonly place: Place & Confirming;
  readonly shown: ShownUser;
  readonly from: UserPageRequest;
  readonly now: Date;
}

/** Renders a user with their devices, challenges and timeline. */
export function userPage({ place, shown, from, now }: UserPage): DashboardPage {
  const { user, devices, addresses, credits, hasMoreAddresses, challenges, timeline } = shown;
  const path = `${place.base}/users/${user._id}`;
  const pagesOf = (name: keyof UserPageRequest) =>
    pager({ path, name, next: shown[name].next, isFirst: from[name] === start });
  const body = html`<div class="grid">
${section('User', [userFacts(user), html`<p><a href="${path}/linked">Linked accounts</a></p>`, statusAct(place, user), dataActs(place, user)])}
${section('Metadata', metadataList(user.metadata))}
</div>
${section('Devices', html`${devicesTable(place, devices.rows)}${pagesOf('devices')}`)}
${section('IP addresses', [addressesTable(place, addresses, hasMoreAddresses, now), addressCredits(place, credits)])}
${section('Challenges', html`${challengesTable(place, challenges.rows, { withUser: false })}${pagesOf('challenges')}`)}
${section('Timeline', html`${timeline.rows.length > 0 ? timelineTable(place, timeline.rows) : emptyState('No activity yet. Evaluations, challenges and changes of this user are listed here.')}${pagesOf('timeline')}<p><a href="${evaluationsPath(place, { user_id: user._id })}">Filter the evaluations of this user</a></p>`)}`;
  return { title: nameOf(user), section: 'users', body };
}

/** Returns the name that says most about a user: an identifier that is not a UUID, otherwise a masked contact. */
function nameOf({ external_id, email, phone }: User): string {
  return isUuid(external_id) ? (email ?? phone ?? external_id) : external_id;
}

/** Renders what only a confirmed administrator can do with a user's data. */
function dataActs(place: Place & Confirming, { _id }: User): Html {
  const path = `${place.base}/users/${_id}`;
  const act = (name: string, effect: string, ending: string, danger = false) =>
    html`<details class="act"${place.confirmationError !== undefined && ' open'}><summary>${name}…</summary>
<p>${effect}</p>
${form(place, { action: `${path}/${ending}`, submit: name, content: passwordAgain(place, `password-${ending}`), danger })}
</details>`;
  return html`<div class="acts">
${act('Export', 'Downloads all data about this user as a JSON document, with contacts that are not masked.', 'export')}
${act('Erase', 'Deletes this user and all personal data about the user, also in evaluations and events. You cannot undo this. Blocks of devices, and the number of accounts on a device, stay.', 'erase', true)}
</div>`;
}

function userFacts({ _id, external_id, status, email, phone, createdAt, updatedAt }: User): Html {
  return definitionList([
    ['Your identifier', external_id],
    ['ID', code(_id)],
    ['Status', badge(status)],
    ['Email', email],
    ['Phone', phone],
    ['Created', time(createdAt)],
    ['Updated', time(updatedAt)],
  ]);
}

function statusAct(place: Place, { _id, status }: User): Html | undefined {
  if (!place.can('act')) return undefined;
  const path = `${place.base}/users/${_id}`;
  const act =
    status === 'active'
      ? {
          name: 'Suspend',
          effect:
            'Denies every evaluation of this user and signs the user out on all devices until you reactivate the user.',
          action: `${path}/suspend`,
          danger: true,
        }
      : {
          name: 'Reactivate',
          effect: 'Evaluates this user normally again.',
          action: `${path}/activate`,
        };
  const endSessions = {
    name: 'End sessions',
    effect: 'Signs the user out on all devices, which lose their trust. A preview follows, which you have to confirm.',
    action: `${place.base}/actions`,
    fields: { source: 'users', action: 'end_sessions', id: _id },
  };
  return html`<div class="acts">${confirmed(place, act)}${confirmed(place, endSessions)}</div>`;
}

function devicesTable(place: Place, devices: readonly Device[]): Html {
  if (devices.length === 0)
    return emptyState('No devices yet. An allowed evaluation or a completed challenge attaches one.');
  const rows = devices.map((device) => [
    deviceLink(place, device._id, device.info.label),
    deviceState(device),
    time(device.last_seen_at),
    addressLink(place, device.last_ip),
    ...(place.can('act') ? [deviceActs(place, device, 'user')] : []),
  ]);
  const columns = ['Device', 'Status', 'Last seen', 'IP address', ...(place.can('act') ? ['Actions'] : [])];
  return table(columns, rows, 'Devices of the user');
}

function addressesTable(place: Place, addresses: readonly ShownAddress[], hasMore: boolean, now: Date): Html {
  if (addresses.length === 0) return emptyState('No IP addresses yet. They come from evaluations with `ip`.');
  const rows = addresses.map(({ network, info, seen_at, trusted_until }) => [
    addressLink(place, network),
    addressSummary(info, place),
    seen_at ? time(seen_at) : 'never',
    trustOf(trusted_until, now),
  ]);
  return html`${table(['IP address', 'Country and network', 'Last seen', 'Trusted'], rows, 'IP addresses of the user')}
${hasMore && html`<p class="quiet">Older IP addresses are not shown.</p>`}`;
}

function trustOf(until: Date | null, now: Date): Html | string {
  if (!until) return 'no';
  return until > now ? html`<span>until ${time(until)}</span>` : html`<span>expired ${time(until)}</span>`;
}

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>;

/** Renders the timeline of a user. */
function timelineTable(place: Place, entries: readonly TimelineEntry[]): Html {
  const rows = entries.map((entry) => [time(entry.at), ...lineOf(place, entry)]);
  return table(['Time', 'Event', 'Outcome', 'Details'], rows, 'Timeline');
}

function lineOf(place: Place, entry: TimelineEntry): readonly [event: Cell, outcome: Cell, details: Cell] {
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
  const { action, outcome, verdict, observed_verdict, reasons, device_id, ip } = detail;
  const device = device_id && deviceLink(place, device_id, 'device');
  const details = html`<span>${reasonList(reasons)}${device && html` ${device}`}${ip && html` ${addressLink(place, ip)}`}</span>`;
  return [
    evaluationLink(place, id, `Evaluation: ${actionWords(action, outcome)}`),
    verdicts(verdict, observed_verdict),
    details,
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
  return [events[type].inTimeline, why, links.length > 0 ? html`<span>${links}</span>` : undefined] as const;
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
  if (action === 'suspend' || action === 'activate' || action === 'user_exported') return undefined;
  if (action.startsWith('label_') || action.startsWith('review_')) return evaluationLink(place, subject, 'evaluation');
  return deviceLink(place, subject, 'device');
}
