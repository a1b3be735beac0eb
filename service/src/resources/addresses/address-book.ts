import type { AddressInfo } from 'whorl/wire';
import type { SourceUpdate } from './published/rules/source-update.js';

/** Database or list of addresses, for the page that names them. */
export interface AddressSource {
  /** The same for each version: the name in ADDRESS_SOURCES, or the name of the file or of the bundled database. */
  readonly label: string;
  /** As in `sources` of the facts. */
  readonly name: string;
  /** When its publisher built it. For lists: when the file was last changed. */
  readonly date: Date;
  /** What it contains: `country`, the type in its metadata, or the kind of a list. */
  readonly contents: string;
  /** Path of an operator's file. Undefined for the databases that come with the service. */
  readonly path?: string;
  readonly licence?: string;
  /** Required by the licence: credit, with a link. */
  readonly credit?: AddressCredit;
  /** Whether it comes with the service, and databases of the operator are asked first for its facts. */
  readonly isFallback?: boolean;
}

export interface AddressCredit {
  readonly text: string;
  readonly url: string;
}

/** What is known about addresses. No look-up leaves the machine. */
export interface AddressBook {
  /** Returns the facts about an address. Returns undefined if nothing is known, or the address is not public. */
  lookUp(ip: string): AddressInfo | undefined;
  /** The databases and lists in use, in the order in which they are asked. */
  sources(): readonly AddressSource[];
  /** Reads what is known about the sources that the service downloads, in their order. */
  updates(): Promise<readonly SourceUpdate[]>;
}

/** Returns the credits that the licences of the databases in use require. */
export function creditsOf(book: AddressBook): AddressCredit[] {
  const credits = book.sources().flatMap(({ credit }) => credit ?? []);
  return [...new Map(credits.map((credit) => [`${credit.text} ${credit.url}`, credit])).values()];
}

/** Knows nothing. For commands, which evaluate nothing. */
export const emptyAddressBook: AddressBook = { lookUp: () => undefined, sources: () => [], updates: async () => [] };
