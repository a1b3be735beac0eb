type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Returns an object without its undefined values. */
export function present<Values extends object>(values: Values): Present<Values> {
  const result: Present<Values> = {};
  for (const name in values) if (values[name] !== undefined) Object.assign(result, { [name]: values[name] });
  return result;
}
