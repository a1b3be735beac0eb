import { WhorlArgumentError } from './errors.js';

/** The target of a call. */
export interface Place {
  /**
   * The path, with `:name` for each parameter. Errors show it in this form, because parameter values can be personal
   * data.
   */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
}

/**
 * Returns the URL of a call. Leaves out undefined query parameters.
 *
 * @throws {WhorlArgumentError} for a value that is not allowed in a path.
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

/**
 * Encodes a path segment. Rejects `.` and `..`, which change the path even when encoded (URL Standard, double-dot path
 * segment).
 */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new WhorlArgumentError(`${name} must be a string, and not empty, "." or "..".`);
  }
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new WhorlArgumentError(`${name} must be well-formed Unicode, without lone surrogates.`, cause);
  }
}
