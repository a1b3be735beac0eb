import type { Logger } from 'pino';
import type { BookDatabase } from '../bundled.js';
import { LiveFile } from '../live-file.js';
import { type BookList, databaseReader, listReader } from '../readers.js';
import { type SourceUpdate, sourceUpdate } from './rules/source-update.js';
import { stateOf } from './rules/update-state.js';
import { type PublishedSources, pathOf } from './sources.js';
import { readState } from './state-file.js';

/** Files of the sources that the service downloads. The content of one that was never loaded is undefined. */
export interface OpenedSources {
  readonly databases: readonly LiveFile<BookDatabase | undefined>[];
  readonly lists: readonly LiveFile<BookList | undefined>[];
  /** Reads what is known about the updates. */
  updates(): Promise<readonly SourceUpdate[]>;
}

/** Opens the files of the sources. A missing or damaged one is logged, and read once the next update has replaced it. */
export async function openPublished(published: PublishedSources, log: Logger): Promise<OpenedSources> {
  const databases: LiveFile<BookDatabase | undefined>[] = [];
  const lists: LiveFile<BookList | undefined>[] = [];
  const files = new Map<string, LiveFile<unknown>>();
  for (const source of published.sources) {
    const { name, kind } = source;
    const path = pathOf(published, source);
    const open = async <Content>(
      into: LiveFile<Content | undefined>[],
      read: (path: string, changedAt: Date) => Promise<Content>,
    ) => {
      const { file, problem } = await LiveFile.openWhenThere({ path, read });
      into.push(file);
      files.set(name, file);
      if (problem === undefined) return;
      log.warn({ source: name, path, reason: problem }, 'A source of addresses has no valid file yet');
    };
    if (kind === undefined) await open(databases, databaseReader(source));
    else await open(lists, listReader(kind, source));
  }
  return {
    databases,
    lists,
    async updates() {
      const state = await readState(published.folder);
      return published.sources.map((source) =>
        sourceUpdate(source, stateOf(state, source.name), files.get(source.name)?.content !== undefined),
      );
    },
  };
}
