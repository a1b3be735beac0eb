import { html } from 'hono/html';
import type { AddressInfo } from 'whorl/wire';
import type { AddressCredit } from '../../resources/addresses/address-book.js';
import type { Place } from './cells.js';
import type { Cell, Html } from './parts.js';
import { addressKindWords } from './words.js';

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' });

/** Returns the name of a country by its ISO 3166-1 alpha-2 code; the code itself if it is unknown. */
export function countryName(code: string): string {
  return countryNames.of(code) ?? code;
}

/** Renders country and network of an address on one line. Undefined if nothing is known. */
export function addressSummary(info: AddressInfo | null | undefined): Html | undefined {
  if (!info) return undefined;
  const { country, city, kind } = info;
  const place = [city, country && countryName(country)].filter(Boolean).join(', ');
  const parts = [place, networkOf(info), kind && addressKindWords[kind]].filter(Boolean);
  return parts.length > 0 ? html`<span>${parts.join(' · ')}</span>` : undefined;
}

/** Renders an address with its country and network below. */
export function addressCell(ip: string | null | undefined, info: AddressInfo | null | undefined): Html | undefined {
  if (!ip) return undefined;
  const summary = addressSummary(info);
  return html`<span><span class="whole">${ip}</span>${summary && html` <span class="quiet">${summary}</span>`}</span>`;
}

function networkOf({ asn, organisation }: AddressInfo): string {
  return asn === undefined ? '' : [`AS${asn}`, organisation].filter(Boolean).join(' ');
}

/** Returns all facts about an address, each with its source. */
export function addressFacts(info: AddressInfo | undefined): (readonly [string, Cell])[] {
  if (!info) return [['Country and network', 'unknown']];
  const { country, region, city, latitude, longitude, accuracy_km, kind, sources } = info;
  const from = (text: string, source: string | undefined) =>
    html`<span>${text}${source !== undefined && html` <span class="quiet">${source}</span>`}</span>`;
  const coordinates = latitude !== undefined && longitude !== undefined ? `${latitude}, ${longitude}` : undefined;
  const accuracy = accuracy_km === undefined ? '' : `, within ${accuracy_km} km`;
  const rows: (readonly [string, Cell])[] = [
    ['Country', country && from(countryName(country), sources.country)],
    ['Region', region && from(region, sources.location)],
    ['City', city && from(city, sources.location)],
    ['Coordinates', coordinates && from(`${coordinates}${accuracy}`, sources.location)],
    ['Network', networkOf(info) && from(networkOf(info), sources.asn)],
    ['Kind', kind && from(addressKindWords[kind], sources.kind)],
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
