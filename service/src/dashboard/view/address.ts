import { html } from 'hono/html';
import type { AddressInfo } from 'whorl/wire';
import type { EvaluationFilter } from '../../evaluation/search/rules/filters.js';
import type { StoredAddress } from '../../ground/vocabulary.js';
import type { AddressCredit } from '../../resources/addresses/address-book.js';
import { addressLink, evaluationsPath, type Place, subjectLink, unbroken } from './cells.js';
import type { Cell, Html } from './parts.js';
import { addressKindWords } from './words.js';

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' });

/** Returns the name of a country by its ISO 3166-1 alpha-2 code; the code itself if it is unknown. */
export function countryName(code: string): string {
  return countryNames.of(code) ?? code;
}

/**
 * Renders country and network of an address on one line. Undefined if nothing is known.
 *
 * @param place Where each fact links to its page. Default: no links.
 */
export function addressSummary(info: StoredAddress | null | undefined, place?: Place): Html | undefined {
  if (!info) return undefined;
  const { city, kind } = info;
  const where = joined([city, countryLink(info, place)], ', ');
  const kindLink = kind && linked(place, { address_kind: kind }, addressKindWords[kind]);
  const parts = joined([where.length > 0 ? html`${where}` : undefined, networkLink(info, place), kindLink], ' · ');
  return parts.length > 0 ? html`<span>${parts}</span>` : undefined;
}

/** Returns the parts that are known, with a separator between them. */
function joined(parts: readonly (Html | string | undefined)[], separator: string): (Html | string)[] {
  const known = parts.filter((part) => part !== undefined);
  return known.flatMap((part, index) => (index > 0 ? [separator, part] : [part]));
}

/** Renders an address with its country and network below. With a place, they link to their pages. */
export function addressCell(
  ip: string | null | undefined,
  info: StoredAddress | null | undefined,
  place?: Place,
): Html | undefined {
  if (!ip) return undefined;
  const summary = addressSummary(info, place);
  const address = place ? addressLink(place, ip) : unbroken(ip);
  return html`<span>${address}${summary && html` <span class="quiet">${summary}</span>`}</span>`;
}

function linked(place: Place | undefined, filter: EvaluationFilter, text: string): Html | string {
  return place ? html`<a href="${evaluationsPath(place, filter)}">${text}</a>` : text;
}

function countryLink({ country }: StoredAddress, place: Place | undefined): Html | string | undefined {
  if (!country || !place) return country && countryName(country);
  return subjectLink(place, 'country', country, countryName(country));
}

function networkLink({ asn, organisation }: StoredAddress, place: Place | undefined): Html | string | undefined {
  if (asn === undefined) return undefined;
  const text = [`AS${asn}`, organisation].filter(Boolean).join(' ');
  return place ? subjectLink(place, 'asn', String(asn), text) : text;
}

/** Returns all facts about an address, each with its source. They link to their pages. */
export function addressFacts(place: Place, info: AddressInfo | undefined): (readonly [string, Cell])[] {
  if (!info) return [['Country and network', 'unknown']];
  const { region, city, latitude, longitude, accuracy_km, kind, sources } = info;
  const from = (text: Html | string, source: string | undefined) =>
    html`<span>${text}${source !== undefined && html` <span class="quiet">${source}</span>`}</span>`;
  const coordinates = latitude !== undefined && longitude !== undefined ? `${latitude}, ${longitude}` : undefined;
  const accuracy = accuracy_km === undefined ? '' : `, within ${accuracy_km} km`;
  const [country, network] = [countryLink(info, place), networkLink(info, place)];
  const rows: (readonly [string, Cell])[] = [
    ['Country', country && from(country, sources.country)],
    ['Region', region && from(region, sources.location)],
    ['City', city && from(city, sources.location)],
    ['Coordinates', coordinates && from(`${coordinates}${accuracy}`, sources.location)],
    ['Network', network && from(network, sources.asn)],
    ['Kind', kind && from(linked(place, { address_kind: kind }, addressKindWords[kind]), sources.kind)],
  ];
  return rows.filter(([, cell]) => cell);
}

/** Renders the credits that the licences of the databases require, and a link to the list of databases. */
export function addressCredits({ base }: Place, credits: readonly AddressCredit[]): Html {
  const links = credits.map(
    ({ text, url }, index) => html`${index > 0 ? ', ' : 'Data: '}<a href="${url}" rel="noreferrer">${text}</a>`,
  );
  return html`<p class="quiet">${links}${links.length > 0 && '. '}<a href="${base}/addresses">Databases of addresses</a></p>`;
}
