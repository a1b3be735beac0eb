/** What is saved under a key. Throws where there is nothing, or no JSON, or storage is blocked. */
export function readLocalStorage(key: string): unknown {
  return JSON.parse(localStorage.getItem(key) ?? '');
}

/** Saves a value, and answers true. Throws where storage is blocked or full. */
export function writeLocalStorage(key: string, value: unknown): true {
  localStorage.setItem(key, JSON.stringify(value));
  return true;
}
