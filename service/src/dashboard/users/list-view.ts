import { html } from 'hono/html';
import { userFilters } from '../../resources/users/search/rules/filters.js';
import { type FilteredList, type FilteredListForm, filteredList } from '../filters/filter-view.js';
import { selectableTable } from '../many/select-view.js';
import { type Place, userLink } from '../view/cells.js';
import { searchForm } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, emptyState, form, type Html, hidden, section, time } from '../view/parts.js';
import type { FoundUsers, ListedUser } from './load.js';

const filters: FilteredListForm = {
  name: 'users',
  table: userFilters,
  first: ['status', 'email', 'phone', 'min_devices'],
  further: ['max_devices', 'seen_start_date', 'seen_end_date', 'contact', 'disowned', 'user'],
};

/** Renders users, newest first, with filters and a search form. */
export function usersPage(place: Place, shown: FilteredList<ListedUser>): DashboardPage {
  const path = `${place.base}/users`;
  const isFiltered = Object.keys(shown.filter.shown).length > 0;
  const list =
    shown.part.rows.length > 0
      ? usersTable(place, shown.part.rows)
      : emptyState(
          isFiltered
            ? 'No users found. Remove a filter, or search older entries.'
            : 'No users yet. Your first evaluation or device attachment with a secret key creates one, and so does an import.',
        );
  return {
    title: 'Users',
    section: 'users',
    body: html`${search(place)}<p><a href="${path}/clusters">Clusters of accounts</a></p>${filteredList(place, filters, shown, { title: 'Newest users', rows: list })}`,
  };
}

/** Renders the result of a search. */
export function foundUsersPage(place: Place, text: string, { as, users, next }: FoundUsers): DashboardPage {
  const list =
    users.length > 0
      ? html`${usersTable(place, users)}${next !== undefined && loadMore(place, text, next)}`
      : emptyState('No users found. Check the spelling, or search by another value.');
  const title = as === 'address' ? 'Seen at this IP address' : 'Results';
  return { title: 'Users', section: 'users', body: html`${search(place, text)}${section(title, list)}` };
}

function search(place: Place, value?: string): Html {
  return searchForm(place, {
    action: `${place.base}/users/search`,
    label: 'Find users',
    hint: 'Enter your user identifier or its beginning, an email address, a phone number starting with +, an IP address, or the ID of a user or device.',
    value,
  });
}

function loadMore(place: Place, text: string, after: string): Html {
  const content = html`${hidden('q', text)}${hidden('after', after)}`;
  return form(place, { action: `${place.base}/users/search`, submit: 'Load more', content });
}

function usersTable(place: Place, users: readonly ListedUser[]): Html {
  const atAddress = users.some(({ seenAt }) => seenAt);
  const columns = ['User', 'Email', 'Phone', 'Status', atAddress ? 'Last seen there' : 'Created'];
  const rows = users.map(({ _id, external_id, email, phone, status, createdAt, seenAt }) => [
    userLink(place, _id, external_id),
    email,
    phone,
    badge(status),
    time(seenAt ?? createdAt),
  ]);
  return selectableTable(place, { source: 'users', ids: users.map(({ _id }) => _id), columns, rows, caption: 'Users' });
}
