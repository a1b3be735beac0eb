const saved = new Map<string, unknown>();

/** What is kept under a key while the page lives. */
export function readMemory(key: string): unknown {
  return saved.get(key);
}

/** Keeps a value while the page lives: all there is where a browser blocks every storage. */
export function writeMemory(key: string, value: unknown): void {
  saved.set(key, value);
}
