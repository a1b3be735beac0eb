import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { AddressSource } from './address-book.js';
import { type CoveredFact, openDatabase } from './open-database.js';
import type { RecordFacts } from './rules/database-record.js';
import { parseNetworks } from './rules/network-table.js';
import type { AddressKey } from './rules/public-key.js';

/** Database of an address book. */
export interface BookDatabase {
  readonly source: AddressSource;
  /** Facts that it has for most addresses. */
  readonly covers: ReadonlySet<CoveredFact>;
  find(ip: string, key: AddressKey): RecordFacts | undefined;
}

const countryPackage = '@ip-location-db/geo-whois-asn-country-mmdb';
const networkPackage = '@ip-location-db/asn';

const fileOf = (name: string) => createRequire(import.meta.url).resolve(name);

let opened: Promise<readonly BookDatabase[]> | undefined;

/**
 * Reads the databases that come with the service: country and network. They are read once in a process, which takes
 * about half a second.
 */
export function openBundled(): Promise<readonly BookDatabase[]> {
  opened ??= Promise.all([openCountries(), openNetworks()]);
  return opened;
}

async function openCountries(): Promise<BookDatabase> {
  const { builtAt, covers, find } = await openDatabase(fileOf(`${countryPackage}/geo-whois-asn-country.mmdb`));
  return {
    source: {
      label: 'geo-whois-asn-country',
      name: sourceName('geo-whois-asn-country', builtAt),
      date: builtAt,
      contents: 'country',
      licence: 'CC BY 4.0',
      credit: { text: 'Number Resource Organization', url: 'https://www.nro.net' },
    },
    covers,
    find,
  };
}

async function openNetworks(): Promise<BookDatabase> {
  const read = (file: string) => readFile(fileOf(`${networkPackage}/${file}`));
  const [v4, v6, manifest] = await Promise.all([
    read('asn-ipv4-num.csv'),
    read('asn-ipv6-num.csv'),
    read('package.json'),
  ]);
  const networks = parseNetworks(v4, v6);
  const date = dateOfVersion(manifest.toString());
  return {
    source: {
      label: 'ip-location-db asn',
      name: sourceName('ip-location-db asn', date),
      date,
      contents: 'network',
      licence: 'CC BY 4.0',
      credit: { text: 'DB-IP, RouteViews and Number Resource Organization', url: 'https://db-ip.com' },
    },
    covers: new Set(['network']),
    find(_ip, key) {
      const network = networks.find(key);
      return network && { ...network, kinds: [] };
    },
  };
}

/** Returns the name of a database in the sources of facts: what it is, and from when. */
export function sourceName(type: string, date: Date): string {
  return `${type} ${date.toISOString().slice(0, 10)}`;
}

/** Reads the date in the version of the package: 2.3.2026061719 is from 2026-06-17. */
function dateOfVersion(manifest: string): Date {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  const [, year, month, day] = /\.(\d{4})(\d{2})(\d{2})\d{2}$/.exec(version) ?? [];
  return new Date(`${year}-${month}-${day}T00:00:00Z`);
}
