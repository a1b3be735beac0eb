/**
 * The first name under which there is no string of its pattern, if there is one. Where an empty string would do,
 * nothing does, too.
 */
export function findMisfit<Name extends string>(
  values: { readonly [Key in Name]?: unknown },
  patterns: { readonly [Key in Name]: RegExp },
): Name | undefined {
  const names = Object.keys(patterns) as Name[];
  return names.find((name) => {
    const value = values[name] ?? '';
    return typeof value !== 'string' || !patterns[name].test(value);
  });
}
