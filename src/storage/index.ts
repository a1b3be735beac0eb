import { openIndexedDb, updateIndexedDb } from './indexed-db.js';
import { readLocalStorage, writeLocalStorage } from './local-storage.js';
import { readMemory, writeMemory } from './memory.js';
import { advance, lastOf, newest, type SavedRecord } from './record.js';

/** Where the fingerprints of one scope are saved. */
export interface Storage {
  /** Saves the current fingerprint, and resolves to the last saved one, or '' where there was none. Never rejects. */
  save(current: string): Promise<string>;
}

/** Begins to open the storage of a scope, so that it is ready when the fingerprint is. */
export function openStorage(scope: string): Storage {
  const key = `whorl${scope && `:${scope}`}`;
  openIndexedDb();
  return {
    async save(current) {
      const now = Date.now();
      let found: SavedRecord | undefined;
      const next = (saved: unknown) => {
        found = newest(
          saved,
          attempt(() => readLocalStorage(key)),
          readMemory(key),
        );
        return advance(found, current, now);
      };
      let written: Promise<unknown> | undefined;
      const advanced = await new Promise<SavedRecord | undefined>((resolve) => {
        const replace = (saved: unknown) => {
          const record = next(saved);
          resolve(record);
          return record;
        };
        written = updateIndexedDb(key, replace).catch(() => resolve(undefined));
      });
      const record = advanced ?? next(undefined);
      writeMemory(key, record);
      // Once one of the two has it, the other may take its time.
      if (!attempt(() => writeLocalStorage(key, record))) await written;
      return lastOf(found, record);
    },
  };
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
