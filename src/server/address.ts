import { WhorlArgumentError } from './errors.js';

/** Where a call goes. */
export interface Place {
  /** With `:name` where a parameter stands. Errors name a call by it: what it is filled with can be personal. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
}

/**
 * The whole address of a call. What is undefined in the query is left out.
 *
 * @throws {WhorlArgumentError} for a parameter that cannot stand in a path.
 */
export function addressOf(baseUrl: string, { path, parameters = {}, query = {} }: Place): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(name, parameters[name]));
  const search = new URLSearchParams();
  const entries: [string, unknown][] = Object.entries(query);
  for (const [name, value] of entries) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return baseUrl + filled + (text && `?${text}`);
}

/** Also encoded, dots alone would lead to another path (URL Standard, double-dot path segment). */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new WhorlArgumentError(`${name} must be a text that is neither empty nor one or two dots.`);
  }
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new WhorlArgumentError(`${name} must be well-formed Unicode.`, cause);
  }
}
