/**
 * Returns what `JSON.stringify` returns in a page that has not changed it, for any value without cycles. Scripts add
 * `toJSON` to all lists or objects, and `JSON.stringify` calls it. A value's own `toJSON`, as a date has, still counts.
 */
export function stringify(value: unknown): string {
  return JSON.stringify(withoutInherited(value));
}

/** Returns a copy whose lists and objects, at every depth, inherit nothing. */
function withoutInherited(value: unknown): unknown {
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== 'object' || !value || Reflect.get(value, 'toJSON') !== Reflect.get({}, 'toJSON'))) {
    return value;
  }
  const copy: Record<string, unknown> = Object.setPrototypeOf(isList ? [...value] : { ...value }, null);
  for (const name in copy) copy[name] = withoutInherited(copy[name]);
  return copy;
}
