/** The headers of a request: a `Headers` object, or a record such as Node's `request.headers`. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a header's value, or undefined. Some platforms keep the sender's upper case in the names. */
export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers ?? {}).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

function isHeaders(headers: RequestHeaders): headers is { get(name: string): string | null } {
  return typeof headers?.get === 'function';
}

/** Returns the value of a cookie, as it was sent. */
export function cookieOf(headers: RequestHeaders, name: string): string | undefined {
  const cookies = readHeader(headers, 'cookie')?.split(/; */) ?? [];
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}
