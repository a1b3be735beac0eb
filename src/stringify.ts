/**
 * Returns what `JSON.stringify` returns in a page that has not changed it, for any value without cycles. Scripts add
 * `toJSON` to all lists or objects, and `JSON.stringify` calls it. A value's own `toJSON`, as a date has, still counts.
 */
export function stringify(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${[...value].map((item) => stringify(item) ?? 'null').join()}]`;
  if (typeof value !== 'object' || !value || Reflect.get(value, 'toJSON') !== Reflect.get({}, 'toJSON')) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(([name, item]) => {
    const text = stringify(item);
    return text && `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.filter(Boolean).join()}}`;
}
