/** Reads the value saved under a key. Throws if there is none, if it is not JSON, or if storage is blocked. */
export function readLocalStorage(key: string): unknown {
  return JSON.parse(localStorage.getItem(key) ?? '');
}

/** Saves an object that inherits nothing, and returns true. Throws if storage is blocked or full. */
export function writeLocalStorage(key: string, value: object): true {
  localStorage.setItem(key, JSON.stringify(value));
  return true;
}
