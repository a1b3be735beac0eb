import type { Logger } from 'pino';
import { dayMs } from '../../ground/time.js';
import type { AddressBook } from './address-book.js';
import { daysOld, oldDays, oldSources } from './rules/age.js';

/**
 * Logs a warning about old databases and lists, now and once a day, until the returned function is called.
 */
export function watchAge(book: AddressBook, { log, now }: { log: Logger; now: () => Date }): () => void {
  const warn = () => {
    const old = oldSources(book.sources(), now());
    if (old.length === 0) return;
    const sources = old.map((source) => `${source.label}: ${daysOld(source, now())} days`);
    log.warn(
      { sources },
      `Data about addresses is more than ${oldDays} days old. Let the service update it with ADDRESS_SOURCES, or replace your files: see docs/addresses.md`,
    );
  };
  warn();
  const timer = setInterval(warn, dayMs).unref();
  return () => clearInterval(timer);
}
