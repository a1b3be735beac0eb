import { html } from 'hono/html';
import type { AddressCredit, AddressSource } from '../../resources/addresses/address-book.js';
import type { SourceUpdate } from '../../resources/addresses/published/rules/source-update.js';
import { daysOld, oldDays, oldSources } from '../../resources/addresses/rules/age.js';
import type { DashboardPage } from '../view/layout.js';
import { type Cell, emptyState, type Html, section, table, time } from '../view/parts.js';

export interface ShownAddresses {
  readonly sources: readonly AddressSource[];
  /** Of the sources that the service downloads. */
  readonly updates: readonly SourceUpdate[];
  readonly now: Date;
}

const columns = ['Name', 'Contents', 'Date', 'Age', 'Last update', 'Last error', 'Licence', 'Source'];

/** Renders the databases and lists of addresses in use, with date, licence and updates. */
export function addressesPage({ sources, updates, now }: ShownAddresses): DashboardPage {
  const rows = [
    ...sources.map((source) => rowOf(source, updateOf(source, updates), now)),
    ...updates.filter(({ isLoaded }) => !isLoaded).map(missingRow),
  ];
  const list =
    rows.length > 0 ? table(columns, rows, 'Databases and lists') : emptyState('No databases or lists are in use.');
  const body = html`<p>Country, network and kind of an IP address come from these databases and lists. They are files on this
server: looking an address up sends nothing to anyone. The first that has a fact is used.</p>
${ageNotice(oldSources(sources, now))}
${section('Databases and lists', list)}`;
  return { title: 'Databases of addresses', section: 'evaluations', body };
}

function ageNotice(old: readonly AddressSource[]): Html | undefined {
  if (old.length === 0) return undefined;
  return html`<p class="notice warn">More than ${oldDays} days old: ${old.map(({ label }) => label).join(', ')}. Facts about
addresses may be wrong. Let the service update its data with <code>ADDRESS_SOURCES</code>, or replace your files.</p>`;
}

function updateOf({ label, path }: AddressSource, updates: readonly SourceUpdate[]): SourceUpdate | undefined {
  return path === undefined ? undefined : updates.find(({ name }) => name === label);
}

function rowOf(source: AddressSource, update: SourceUpdate | undefined, now: Date): Cell[] {
  const { name, contents, date, licence, credit, path } = source;
  return [
    name,
    contents,
    time(date),
    days(daysOld(source, now)),
    update?.updatedAt && time(update.updatedAt),
    update && errorOf(update),
    licence ?? (update ? 'not stated' : 'your own file'),
    credit ? creditLink(credit) : path,
  ];
}

/** Renders a source without a file. */
function missingRow(update: SourceUpdate): Cell[] {
  const { name, kind, licence, credit } = update;
  const source = credit && creditLink(credit);
  return [
    name,
    kind ?? 'database',
    'no file yet',
    undefined,
    undefined,
    errorOf(update),
    licence ?? 'not stated',
    source,
  ];
}

function errorOf({ error }: SourceUpdate): Cell {
  return error && html`<span>${time(error.at)}: ${error.text}</span>`;
}

function creditLink({ text, url }: AddressCredit): Html {
  return html`<a href="${url}" rel="noreferrer">${text}</a>`;
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
