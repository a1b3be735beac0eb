import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { AddressKind } from 'whorl/wire';
import { OperatorError } from '../../ground/operator-error.js';
import type { AddressBook, AddressSource } from './address-book.js';
import { type BookDatabase, openBundled, sourceName } from './bundled.js';
import { LiveFile, reasonOf } from './live-file.js';
import { openDatabase } from './open-database.js';
import { addressInfo, type DatabaseEntry, type ListEntry } from './rules/address-info.js';
import { parseAddressList } from './rules/address-lists.js';
import { publicKeyOf } from './rules/public-key.js';
import type { RangeTable } from './rules/range-table.js';

/** Operator's files about addresses: see docs/addresses.md. */
export interface AddressFiles {
  /** Paths of MMDB files, the most trusted first. `none`: not even the databases that come with the service. */
  readonly databases: readonly string[] | 'none';
  readonly lists: readonly { readonly kind: AddressKind; readonly path: string }[];
}

interface OpenOptions {
  readonly log: Logger;
  /** Interval of checks for changed files. A change is noticed after two. Default: 5,000. */
  readonly checkEveryMs?: number | undefined;
}

export interface OpenedAddresses {
  readonly book: AddressBook;
  /** Ends the checks for changed files. */
  close(): void;
}

/**
 * Reads the databases and lists of addresses, and reads a file again when it changes. A changed file that is not valid is
 * refused and logged, and the previous one stays in use.
 *
 * @throws OperatorError if a file is not valid at the start.
 */
export async function openAddresses(files: AddressFiles, options: OpenOptions): Promise<OpenedAddresses> {
  const paths = files.databases === 'none' ? [] : files.databases;
  const bundled = files.databases === 'none' ? [] : await openBundled();
  const databases = await Promise.all(paths.map((path) => openFile('ADDRESS_DATABASES', { path, read: readDatabase })));
  const lists = await Promise.all(
    files.lists.map(({ kind, path }) => openFile('ADDRESS_LISTS', { path, read: listReader(kind) })),
  );
  return { book: createBook({ databases, lists, bundled }), close: watchFiles([...databases, ...lists], options) };
}

async function openFile<Content>(
  variable: string,
  options: { readonly path: string; readonly read: (path: string, changedAt: Date) => Promise<Content> },
): Promise<LiveFile<Content>> {
  try {
    return await LiveFile.open(options);
  } catch (error) {
    throw new OperatorError(`${variable}: ${options.path} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

async function readDatabase(path: string): Promise<BookDatabase> {
  const { type, builtAt, find } = await openDatabase(path);
  return { source: { name: sourceName(type, builtAt), date: builtAt, contents: type, path }, find };
}

interface BookList {
  readonly kind: AddressKind;
  readonly source: AddressSource;
  readonly ranges: RangeTable;
}

function listReader(kind: AddressKind) {
  return async (path: string, date: Date): Promise<BookList> => {
    const ranges = await parseAddressList(await readFile(path, 'utf8'));
    const contents = `${kind}: ${ranges.size} ${ranges.size === 1 ? 'range' : 'ranges'}`;
    return { kind, ranges, source: { name: sourceName(basename(path), date), date, contents, path } };
  };
}

interface Parts {
  readonly databases: readonly LiveFile<BookDatabase>[];
  readonly lists: readonly LiveFile<BookList>[];
  readonly bundled: readonly BookDatabase[];
}

function createBook({ databases, lists, bundled }: Parts): AddressBook {
  const all = () => [...databases.map(({ content }) => content), ...bundled];
  return {
    lookUp(ip) {
      const key = publicKeyOf(ip);
      if (key === undefined) return undefined;
      const entries: DatabaseEntry[] = [];
      for (const { source, find } of all()) {
        const facts = find(ip, key);
        if (facts) entries.push({ source: source.name, facts });
      }
      const listed: ListEntry[] = [];
      for (const { content } of lists) {
        const { kind, source, ranges } = content;
        if (ranges.find(key) !== undefined) listed.push({ kind, source: source.name });
      }
      return addressInfo(entries, listed);
    },
    sources: () => [...lists.map(({ content }) => content.source), ...all().map(({ source }) => source)],
  };
}

/** Checks files one after another, until the returned function is called. */
function watchFiles(files: readonly LiveFile<unknown>[], { log, checkEveryMs = 5000 }: OpenOptions): () => void {
  if (files.length === 0) return () => undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout;
  const checkAll = async () => {
    for (const file of files) {
      const check = await file.check();
      if (check.result === 'replaced') log.info({ path: file.path }, 'Replaced a file of addresses');
      if (check.result === 'refused') {
        const { reason } = check;
        log.error(
          { path: file.path, reason },
          'A changed file of addresses was refused; the previous one stays in use',
        );
      }
    }
    if (!isClosed) schedule();
  };
  const schedule = () => {
    timer = setTimeout(checkAll, checkEveryMs).unref();
  };
  schedule();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}
