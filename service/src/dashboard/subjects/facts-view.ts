import { html } from 'hono/html';
import { addressFacts, countryName } from '../view/address.js';
import type { Place } from '../view/cells.js';
import { type Cell, type Html, wholeNumber } from '../view/parts.js';
import { addressKindWords, isAddressKind } from '../view/words.js';
import type { ShownSubject } from './load.js';
import type { Subject, Tally } from './rules.js';

type Fact = readonly [string, Cell];

/** Returns the title of the page of a subject. */
export function subjectTitle({ kind, value }: Subject): string {
  if (kind === 'address') return `IP address ${value}`;
  if (kind === 'asn') return `Network AS${value}`;
  if (kind === 'country') return countryName(value);
  return kind === 'hardware' ? 'Hardware' : `Email domain ${value}`;
}

/** Returns what is known about a subject, in words. */
export function factsOf(place: Place, shown: ShownSubject): readonly Fact[] {
  return [...ownFacts(place, shown), ...lastDayFact(shown)];
}

function ownFacts(place: Place, shown: ShownSubject): readonly Fact[] {
  const { subject, info, disposable, summary, deviceCount } = shown;
  const { kind, value } = subject;
  if (kind === 'address') {
    const text = value.includes(':')
      ? 'An IPv6 network (/64). It counts as one address, because devices change their address within it.'
      : 'An IPv4 address. Households, companies and mobile networks share one.';
    return [['IP address', text], ...addressFacts(place, info)];
  }
  if (kind === 'asn') {
    const text = 'An autonomous system: the network of one provider or company.';
    return [
      ['Network', text],
      ['Organisation', summary.organisations.get(value)],
      ['Kinds of address', kindsOf(summary.kinds)],
    ];
  }
  if (kind === 'country') {
    const text = `${value} (ISO 3166-1). The country of an IP address is where its network is, by the databases at the time.`;
    return [
      ['Country', text],
      ['Kinds of address', kindsOf(summary.kinds)],
    ];
  }
  if (kind === 'hardware') {
    const text = 'Computers of the same model have the same hardware, also those of other people.';
    return [
      ['Hardware ID', html`<code>${value}</code>`],
      ['Hardware', text],
      ['Devices', deviceCount],
    ];
  }
  return [
    ['Email domain', value],
    [
      'Disposable',
      disposable === undefined ? 'not on the list of disposable domains' : `yes: ${disposable} is on the list`,
    ],
  ];
}

function kindsOf(kinds: readonly Tally[]): Html | undefined {
  if (kinds.length === 0) return undefined;
  const kind = ({ value, count }: Tally, at: number) =>
    html`${at > 0 && ', '}${kindName(value)}: ${wholeNumber(count)}`;
  return html`<span>${kinds.map(kind)}</span>`;
}

const kindName = (kind: string) => (isAddressKind(kind) ? addressKindWords[kind] : kind);

function lastDayFact({ lastDay }: ShownSubject): readonly Fact[] {
  if (!lastDay) return [];
  const { evaluations, failures, users, devices } = lastDay;
  const counts = [
    `${wholeNumber(evaluations)} ${evaluations === 1 ? 'evaluation' : 'evaluations'}`,
    `${wholeNumber(failures)} of them failed attempts`,
    `about ${wholeNumber(users)} ${users === 1 ? 'user' : 'users'} and ${wholeNumber(devices)} ${devices === 1 ? 'device' : 'devices'}`,
  ];
  return [['Last 24 hours', evaluations === 0 ? 'no evaluations' : counts.join(', ')]];
}
