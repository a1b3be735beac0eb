/** Result of JSON.parse: any shape, checked by the test's assertions. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface ApiAnswer {
  readonly status: number;
  /** Undefined if the response had no body, or was not JSON. */
  readonly body: Parsed;
  readonly headers: Headers;
}

export interface ApiOptions {
  /** Default: POST if `body` is passed, even as undefined, otherwise GET. */
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the API of a service. */
export async function callApi(base: string, path: string, options: ApiOptions = {}): Promise<ApiAnswer> {
  const { body, key, method = 'body' in options ? 'POST' : 'GET' } = options;
  const headers = new Headers(options.headers);
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`);
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(new URL(path, base), { method, headers, body: sent, redirect: 'manual' });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '');
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined, headers: response.headers };
}
