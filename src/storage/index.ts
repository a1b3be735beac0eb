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
  const opening = openIndexedDb();
  return {
    async save(current) {
      const now = Date.now();
      const elsewhere = [attempt(() => readLocalStorage(key)), readMemory(key)];
      let found: SavedRecord | undefined;
      let advanced: SavedRecord | undefined;
      const next = (saved: unknown) => {
        found = newest(saved, ...elsewhere);
        advanced = advance(found, current, now);
        return advanced;
      };
      if (await opening) await updateIndexedDb(key, next).catch(() => undefined);
      const record = advanced ?? next(undefined);
      attempt(() => writeLocalStorage(key, record));
      writeMemory(key, record);
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
