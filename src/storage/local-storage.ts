/**
 * What is saved under a key, or undefined where there is nothing, or it is no JSON. Throws where storage is blocked.
 */
export function readLocalStorage(key: string): unknown {
  const text = localStorage.getItem(key);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Saves a value, and answers true. Throws where storage is blocked or full. */
export function writeLocalStorage(key: string, value: unknown): true {
  localStorage.setItem(key, JSON.stringify(value));
  return true;
}
