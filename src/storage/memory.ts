const saved = new Map<string, unknown>();

/** Returns the value kept under a key since the page was loaded. */
export function readMemory(key: string): unknown {
  return saved.get(key);
}

/** Keeps a value until the page is closed. The only storage left if a browser blocks all others. */
export function writeMemory(key: string, value: unknown): void {
  saved.set(key, value);
}
