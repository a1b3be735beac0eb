import { html } from 'hono/html';
import { type Part, type Position, start } from '../position-rules.js';
import { searchForm } from '../view/acts.js';
import type { DashboardPage } from '../view/layout.js';
import { type Place, userLink, wayOn } from '../view/links.js';
import { badge, emptyState, form, type Html, section, table, time } from '../view/parts.js';
import type { ListedUser } from './load.js';
import type { FoundUsers } from './search.js';

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
