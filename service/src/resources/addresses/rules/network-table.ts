import type { AddressKey } from './public-key.js';
import { rangeTable } from './range-table.js';

/** Autonomous system (RFC 1930) that announces an address. */
export interface Network {
  readonly asn: number;
  readonly organisation: string;
}

const [NEWLINE, COMMA, ZERO, NINE] = [0x0a, 0x2c, 0x30, 0x39];

export interface NetworkTable {
  find(key: AddressKey): Network | undefined;
}

/**
 * Parses the two files of `@ip-location-db/asn` in numeric form: one range a line, sorted, as first address, last
 * address, number and organisation. Only the last column can be quoted. There are half a million lines and every start
 * of the service waits for them, so they are read as bytes: strings of all lines would take five times as long.
 *
 * @throws Error that names the first invalid line.
 */
export function parseNetworks(v4: Buffer, v6: Buffer): NetworkTable {
  const organisations = new Map<number, string>();
  const asns: number[] = [];
  const rowsOf = <Key extends AddressKey>(file: Buffer, read: (file: Buffer, start: number, end: number) => Key) => {
    const from: Key[] = [];
    const to: Key[] = [];
    for (let start = 0, number = 1; start < file.length; number++) {
      const first = endOfDigits(file, start);
      const second = endOfDigits(file, first + 1);
      const third = endOfDigits(file, second + 1);
      if (file[first] !== COMMA || file[second] !== COMMA || file[third] !== COMMA) {
        throw new Error(`line ${number} is not a range`);
      }
      const newline = file.indexOf(NEWLINE, third);
      const end = newline === -1 ? file.length : newline;
      from.push(read(file, start, first));
      to.push(read(file, first + 1, second));
      const asn = numberIn(file, second + 1, third);
      asns.push(asn);
      if (!organisations.has(asn)) organisations.set(asn, unquoted(file.toString('utf8', third + 1, end).trimEnd()));
      start = end + 1;
    }
    return { from, to };
  };
  const table = rangeTable({ v4: rowsOf(v4, numberIn), v6: rowsOf(v6, bigintIn) });
  const asnAt = Uint32Array.from(asns);
  return {
    find(key) {
      const asn = asnAt[table.find(key) ?? asnAt.length];
      return asn === undefined ? undefined : { asn, organisation: organisations.get(asn) ?? '' };
    },
  };
}

/** Returns the position after a number of at least one digit. Returns -1 if there is none. */
function endOfDigits(file: Buffer, start: number): number {
  let at = start;
  while (isDigit(file[at])) at++;
  return at > start ? at : -1;
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE;
}

function numberIn(file: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (file[at] ?? 0) - ZERO;
  return value;
}

function bigintIn(file: Buffer, start: number, end: number): bigint {
  return BigInt(file.toString('latin1', start, end));
}

/** Reads the last column of a CSV line (RFC 4180). */
function unquoted(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}
