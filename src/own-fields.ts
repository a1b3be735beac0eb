/**
 * Returns a copy that inherits nothing, so that a missing field is undefined also where a script of the page has added
 * the name to `Object.prototype`. JSON.stringify calls no `toJSON` of it, either.
 */
export function ownFields<Fields extends object>(fields: Fields): Fields {
  return { __proto__: null, ...fields };
}
