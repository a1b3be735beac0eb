import { html } from 'hono/html';
import {
  type AccountCluster,
  type LinkedAccounts,
  maxLinkedNodes,
  searchedDevices,
} from '../../recognition/linked-accounts/linked-accounts.js';
import {
  type LinkKind,
  linkRules,
  linkStrengths,
  type SharedThing,
} from '../../recognition/linked-accounts/rules/links.js';
import { selectableTable } from '../many/select-view.js';
import { addressLink, deviceLink, type Place, userLink } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, emptyState, type Html, section, table, time, wholeNumber } from '../view/parts.js';
import { linkedAccountsDrawing } from './drawing.js';
import type { ShownLinks } from './load.js';
import { linkWords, strengthWords } from './words.js';

export interface LinkedPage {
  /** Whether the accounts that are not only weakly linked are selected. */
  readonly selected: boolean;
}

/** Renders the accounts that are linked to a user. */
export async function linkedAccountsPage(
  place: Place,
  { name, linked }: ShownLinks,
  page: LinkedPage,
): Promise<DashboardPage> {
  const { accounts, shared, isCut } = linked;
  const title = `Linked accounts of ${name}`;
  if (accounts.length < 2) {
    const body = emptyState(
      'No other account shares a device, a key, a contact, hardware or an IP address with this user.',
    );
    return { title, section: 'users', body };
  }
  const others =
    accounts.length === 2 ? '1 other account shares' : `${wholeNumber(accounts.length - 1)} other accounts share`;
  const body = html`<p>${others} something with this user, directly or through others.
${isCut && `There are more: at most ${maxLinkedNodes} accounts and shared things are shown.`}</p>
${section('Graph', html`<div class="wide">${await linkedAccountsDrawing(place.base, linked)}</div>${legend()}`)}
${section('Accounts', accountsTable(place, linked, page))}
${section('What they share', sharedTable(place, shared))}`;
  return { title, section: 'users', body };
}

function legend(): Html {
  const entry = (strength: (typeof linkStrengths)[number]) =>
    html`<li><svg class="graph sample" viewBox="0 0 24 8" aria-hidden="true"><path class="${strength}" d="M0 4L24 4"/></svg> ${strengthWords[strength].name}: ${strengthWords[strength].meaning}</li>`;
  return html`<ul class="plain">${linkStrengths.map(entry)}</ul>
<p class="quiet">Circles are accounts, squares are what they share. The large circle is this user; red ones are suspended.</p>`;
}

function accountsTable(place: Place, { accounts }: LinkedAccounts, { selected }: LinkedPage): Html {
  const rows = accounts.map(({ id, external_id, status, kinds, strength, created_at }) => [
    userLink(place, id, external_id),
    badge(status),
    strength && strengthWords[strength].name,
    kindList(kinds),
    time(created_at),
  ]);
  const ids = accounts.map(({ id }) => id);
  const strong = accounts.filter(({ strength }) => strength !== 'weak').map(({ id }) => id);
  const columns = ['User', 'Status', 'Strongest link', 'Linked by', 'Created'];
  const list = selectableTable(place, {
    source: 'users',
    ids,
    columns,
    rows,
    caption: 'Linked accounts',
    selected: new Set(selected ? strong : []),
  });
  const select = html`<p><a href="?selected=on#many">Select all but the weakly linked ones</a></p>`;
  return html`${place.can('act') && select}${list}`;
}

function kindList(kinds: readonly LinkKind[]): string {
  return kinds.map((kind) => linkWords[kind].toLowerCase().replace('ip ', 'IP ')).join(', ');
}

function sharedTable(place: Place, shared: readonly SharedThing[]): Html {
  const rows = shared.map((thing) => [
    linkWords[thing.kind],
    detailOf(place, thing),
    strengthWords[linkRules[thing.kind].strength].name,
    thing.hasMore ? html`<span>over ${wholeNumber(thing.userIds.length)}</span>` : thing.userIds.length,
  ]);
  const columns = ['Shared', 'Which', 'Strength', { title: 'Accounts', number: true }] as const;
  return table(columns, rows, 'What the accounts share');
}

/** Contacts are not named: only their blind indexes are compared. */
function detailOf(place: Place, { kind, label, deviceId }: SharedThing): Cell {
  if (kind === 'address') return addressLink(place, label);
  return deviceId !== null && label !== null ? deviceLink(place, deviceId, label) : undefined;
}

/** Renders the largest clusters of linked accounts. */
export function clustersPage(place: Place, clusters: readonly AccountCluster[]): DashboardPage {
  const rows = clusters.map(({ accounts, size, kinds, created }) => {
    const [newest] = accounts;
    return [
      newest && html`<a href="${place.base}/users/${newest.id}/linked">${newest.external_id}</a>`,
      size,
      created,
      accounts.filter(({ status }) => status === 'suspended').length,
      kindList(kinds),
      newest && time(newest.created_at),
    ];
  });
  const columns = [
    'Newest account',
    { title: 'Accounts', number: true },
    { title: 'New in 7 days', number: true },
    { title: 'Suspended', number: true },
    'Linked by',
    'Newest created',
  ] as const;
  const list =
    rows.length > 0
      ? table(columns, rows, 'Clusters of accounts')
      : emptyState('No clusters: no three accounts are linked by a key, a contact or a device.');
  const body = html`<p>Accounts that are linked to each other by keys, contacts or devices, at least three. Searched among the
${wholeNumber(searchedDevices)} most recently seen attached devices, and as many others.</p>${section('Largest clusters', list)}`;
  return { title: 'Clusters of accounts', section: 'users', body };
}
