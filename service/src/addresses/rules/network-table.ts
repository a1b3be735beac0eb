import type { AddressKey } from './public-key.js';
import { rangeTable } from './range-table.js';

/** Autonomous system (RFC 1930) that announces an address. */
export interface Network {
  readonly asn: number;
  readonly organisation: string;
}

export interface NetworkTable {
  find(key: AddressKey): Network | undefined;
}

/**
 * Parses the two files of `@ip-location-db/asn` in numeric form: one range a line, sorted, as first address, last
 * address, number and organisation. Only the last column can be quoted, and there are half a million lines, which would
 * take a general CSV parser seconds.
 *
 * @throws Error that names the first invalid line.
 */
export function parseNetworks(v4: string, v6: string): NetworkTable {
  const organisations = new Map<number, string>();
  const asns: number[] = [];
  const add = ({ asn, organisation }: Network) => {
    asns.push(asn);
    // Copied, because a slice of the file's text would keep all of it in memory.
    if (!organisations.has(asn)) organisations.set(asn, Buffer.from(organisation).toString());
  };
  const rowsOf = <Key extends AddressKey>(text: string, read: (digits: string) => Key) => {
    const from: Key[] = [];
    const to: Key[] = [];
    forEachLine(text, (line, number) => {
      const row = rowOf(line);
      if (!row) throw new Error(`line ${number} is not a range`);
      from.push(read(row.from));
      to.push(read(row.to));
      add(row);
    });
    return { from, to };
  };
  const table = rangeTable({ v4: rowsOf(v4, Number), v6: rowsOf(v6, BigInt) });
  const asnAt = Uint32Array.from(asns);
  return {
    find(key) {
      const asn = asnAt[table.find(key) ?? asnAt.length];
      return asn === undefined ? undefined : { asn, organisation: organisations.get(asn) ?? '' };
    },
  };
}

function forEachLine(text: string, act: (line: string, number: number) => void): void {
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? undefined : end).trimEnd();
    if (line !== '') act(line, number);
    start = end === -1 ? text.length : end + 1;
  }
}

/** Splits a line at its first three commas. A regular expression would take four times as long. */
function rowOf(line: string): (Network & { readonly from: string; readonly to: string }) | undefined {
  const first = line.indexOf(',');
  const second = line.indexOf(',', first + 1);
  const third = line.indexOf(',', second + 1);
  const asn = Number(line.slice(second + 1, third));
  const isRange = first > 0 && second > first + 1 && third > second + 1;
  if (!isRange || !Number.isSafeInteger(asn)) return undefined;
  return {
    from: line.slice(0, first),
    to: line.slice(first + 1, second),
    asn,
    organisation: unquoted(line.slice(third + 1)),
  };
}

/** Reads the last column of a CSV line (RFC 4180). */
function unquoted(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}
