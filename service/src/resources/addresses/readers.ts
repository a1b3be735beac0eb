import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AddressKind } from 'whorl/wire';
import type { AddressSource } from './address-book.js';
import { type BookDatabase, sourceName } from './bundled.js';
import { openDatabase } from './open-database.js';
import type { PublishedSource } from './published/rules/sources-file.js';
import { parseAddressList } from './rules/address-lists.js';
import type { RangeTable } from './rules/range-table.js';

/** List of an address book. */
export interface BookList {
  readonly kind: AddressKind;
  readonly source: AddressSource;
  readonly ranges: RangeTable;
}

/** Returns a function that reads an MMDB file. */
export function databaseReader(published?: PublishedSource) {
  return async (path: string): Promise<BookDatabase> => {
    const { type, builtAt, covers, find } = await openDatabase(path);
    const common = { name: sourceName(type, builtAt), date: builtAt, contents: type, path };
    return { source: { label: basename(path), ...common, ...describe(published) }, covers, find };
  };
}

/** Returns a function that reads a list. Its date is the time of the file's last change. */
export function listReader(kind: AddressKind, published?: PublishedSource) {
  return async (path: string, date: Date): Promise<BookList> => {
    const ranges = await parseAddressList(await readFile(path, 'utf8'));
    const contents = `${kind}: ${ranges.size} ${ranges.size === 1 ? 'range' : 'ranges'}`;
    const label = published?.name ?? basename(path);
    const source = { label, name: sourceName(label, date), date, contents, path, ...describe(published) };
    return { kind, ranges, source };
  };
}

function describe(published: PublishedSource | undefined): Partial<AddressSource> {
  if (!published) return {};
  const { name, licence, credit } = published;
  return { label: name, ...(licence !== undefined && { licence }), ...(credit && { credit }) };
}
