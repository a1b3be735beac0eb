/**
 * Returns a function with the same results that keeps the newest of them. For results that depend on the text alone and
 * are not changed.
 */
export function rememberNewest<Value>(compute: (text: string) => Value, maxSize: number): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    setNewest(known, text, value, maxSize);
    return value;
  };
}

/** Sets an entry as the newest of a map, and drops the oldest one if there are too many. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > maxSize) map.delete(oldest);
}
