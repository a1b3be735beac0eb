/**
 * Returns the first name whose value is not a string that matches its pattern, or undefined if all match. If a pattern
 * matches the empty string, the value may also be undefined.
 */
export function firstInvalidField<Name extends string>(
  values: { readonly [Key in Name]?: unknown },
  patterns: { readonly [Key in Name]: RegExp },
): Name | undefined {
  const names = Object.keys(patterns) as Name[];
  return names.find((name) => {
    const value = values[name] ?? '';
    return typeof value !== 'string' || !patterns[name].test(value);
  });
}
