/** Reads the value saved under a key. Throws if there is none, if it is not JSON, or if storage is blocked. */
export function readLocalStorage(key: string): unknown {
  return JSON.parse(localStorage.getItem(key) ?? '');
}

/** Saves an object and returns true. Throws if storage is blocked or full. */
export function writeLocalStorage(key: string, value: object): true {
  // Hides a `toJSON` that something in the page has added to all objects.
  localStorage.setItem(key, JSON.stringify({ ...value, toJSON: undefined }));
  return true;
}
