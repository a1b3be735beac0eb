/** What JSON.parse answers: any shape, which a test asserts on. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface ApiAnswer {
  readonly status: number;
  /** Undefined where the answer had none, or was not JSON. */
  readonly body: Parsed;
  readonly headers: Headers;
}

export interface ApiOptions {
  /** Default: POST where `body` is named, even as undefined; GET otherwise. */
  readonly method?: string;
  readonly body?: unknown;
  /** Into `Authorization: Bearer`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a service at an address. */
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
