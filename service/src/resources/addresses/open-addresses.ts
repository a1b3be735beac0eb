import type { Logger } from 'pino';
import type { AddressKind } from 'whorl/wire';
import { OperatorError } from '../../ground/operator-error.js';
import type { AddressBook, AddressSource } from './address-book.js';
import { type BookDatabase, openBundled } from './bundled.js';
import { LiveFile, reasonOf } from './live-file.js';
import { openPublished } from './published/open-published.js';
import type { PublishedSources } from './published/sources.js';
import { type BookList, databaseReader, listReader } from './readers.js';
import { addressInfo, type DatabaseEntry, type ListEntry } from './rules/address-info.js';
import { publicKeyOf } from './rules/public-key.js';

/** Operator's files about addresses: see docs/addresses.md. */
export interface AddressFiles {
  /** Paths of MMDB files, the most trusted first. `none`: none, and not the databases that come with the service. */
  readonly databases: readonly string[] | 'none';
  readonly lists: readonly { readonly kind: AddressKind; readonly path: string }[];
}

interface OpenOptions {
  readonly log: Logger;
  /** Interval of checks for changed files. A change is noticed after two. Default: 5,000. */
  readonly checkEveryMs?: number | undefined;
  /** Sources that the service downloads. Their databases are asked after those of the operator. Default: none. */
  readonly published?: PublishedSources | undefined;
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
  const databases = await Promise.all(
    paths.map((path) => openFile('ADDRESS_DATABASES', { path, read: databaseReader() })),
  );
  const lists = await Promise.all(
    files.lists.map(({ kind, path }) => openFile('ADDRESS_LISTS', { path, read: listReader(kind) })),
  );
  const { published = noSources, log } = options;
  const downloaded = await openPublished(published, log);
  const parts = {
    databases: [...databases, ...downloaded.databases],
    lists: [...lists, ...downloaded.lists],
  };
  const book = createBook({ ...parts, bundled, updates: downloaded.updates });
  return { book, close: watchFiles([...parts.databases, ...parts.lists], options) };
}

const noSources: PublishedSources = { folder: '', sources: [] };

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

interface Parts {
  readonly databases: readonly LiveFile<BookDatabase | undefined>[];
  readonly lists: readonly LiveFile<BookList | undefined>[];
  readonly bundled: readonly BookDatabase[];
  readonly updates: AddressBook['updates'];
}

function createBook({ databases, lists, bundled, updates }: Parts): AddressBook {
  const own = () => databases.flatMap(({ content }) => content ?? []);
  return {
    lookUp(ip) {
      const key = publicKeyOf(ip);
      if (key === undefined) return undefined;
      const entries: DatabaseEntry[] = [];
      for (const { source, find } of [...own(), ...bundled]) {
        const facts = find(ip, key);
        if (facts) entries.push({ source: source.name, facts });
      }
      const listed: ListEntry[] = [];
      for (const { content } of lists) {
        if (content?.ranges.find(key) === undefined) continue;
        listed.push({ kind: content.kind, source: content.source.name });
      }
      return addressInfo(entries, listed);
    },
    sources: () => [
      ...lists.flatMap(({ content }) => content?.source ?? []),
      ...own().map(({ source }) => source),
      ...bundled.map((database) => withFallback(database, own())),
    ],
    updates,
  };
}

/** Marks a bundled database if others have all of its facts for most addresses. */
function withFallback({ source, covers }: BookDatabase, own: readonly BookDatabase[]): AddressSource {
  const isFallback = [...covers].every((fact) => own.some((database) => database.covers.has(fact)));
  return isFallback ? { ...source, isFallback } : source;
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
