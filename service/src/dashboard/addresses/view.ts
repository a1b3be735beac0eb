import { html } from 'hono/html';
import type { AddressSource } from '../../resources/addresses/address-book.js';
import type { DashboardPage } from '../view/layout.js';
import { emptyState, section, table, time } from '../view/parts.js';

/** Renders the databases and lists of addresses in use, with date and licence. */
export function addressesPage(sources: readonly AddressSource[]): DashboardPage {
  const rows = sources.map(({ name, contents, date, licence, credit, path }) => [
    name,
    contents,
    time(date),
    licence ?? 'your own file',
    credit ? html`<a href="${credit.url}" rel="noreferrer">${credit.text}</a>` : path,
  ]);
  const list =
    rows.length > 0
      ? table(['Name', 'Contents', 'Date', 'Licence', 'Source'], rows, 'Databases and lists')
      : emptyState('No databases or lists are in use.');
  const body = html`<p>Country, network and kind of an IP address come from these databases and lists. They are files on this
server: looking an address up sends nothing to anyone. The first that has a fact is used.</p>
${section('Databases and lists', list)}`;
  return { title: 'Databases of addresses', section: 'evaluations', body };
}
