import type { TestService } from './service.js';

/** What a page answered. */
export interface SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** What a person reads of it, with single spaces. */
  readonly text: string;
}

/** Of each request: pages limit how often one address may ask, and a test asks faster than a person does. */
let addresses = 0;

/** A person at pages of the service, with a browser that keeps cookies, runs no scripts, and leads on itself. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  /** What the hidden fields of the page hold that was shown last. */
  fields(): Map<string, string>;
  /** Goes to an address of the service, whatever its origin, without going where it leads. */
  get(address: string, headers?: Record<string, string>): Promise<SeenPage>;
  /** Goes there, and where it leads within the service. */
  open(address: string, headers?: Record<string, string>): Promise<SeenPage>;
  /** Posts a form that the page need not have shown, with its token unless the fields have another. */
  post(address: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<SeenPage>;
  /** Submits the form of the page that was shown last; what it answers, without going where it leads. */
  submit(name: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<SeenPage>;
  /** The same, and goes where it leads within the service. */
  submitAndFollow(name: string, fields?: Record<string, string>): Promise<SeenPage>;
}

export function visitorOf({ url }: Pick<TestService, 'url'>): Visitor {
  const cookies = new Map<string, string>();
  let shown = '';
  const go = async (address: string, init: RequestInit = {}): Promise<SeenPage> => {
    const { pathname, search } = new URL(address, url);
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie) headers.set('Cookie', cookie);
    addresses += 1;
    if (!headers.has('X-Forwarded-For')) headers.set('X-Forwarded-For', `2001:db8:0:${addresses.toString(16)}::1`);
    const response = await fetch(url + pathname + search, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const html = await response.text();
    if (html) shown = html;
    return { status: response.status, headers: response.headers, html, text: textOf(html) };
  };
  const follow = async (page: SeenPage): Promise<SeenPage> => {
    const location = page.headers.get('Location');
    return location?.startsWith('/') ? go(location) : page;
  };
  const hiddenFields = () => {
    const all = shown.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    return new Map([...all].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  };
  const post: Visitor['post'] = (address, fields = {}, headers = {}) => {
    const csrf = hiddenFields().get('csrf') ?? '';
    return go(address, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }), headers });
  };
  const submit: Visitor['submit'] = (name, fields = {}, headers = {}) => {
    const [, action] = new RegExp(`<form method="post" action="([^"]*/${name})"[^>]*>`).exec(shown) ?? [];
    if (action === undefined) throw new Error(`There is no form ${name} in: ${textOf(shown)}`);
    return post(action, fields, headers);
  };
  return {
    cookies,
    fields: hiddenFields,
    get: (address, headers) => go(address, { ...(headers && { headers }) }),
    open: async (address, headers) => follow(await go(address, { ...(headers && { headers }) })),
    post,
    submit,
    submitAndFollow: async (name, fields) => follow(await submit(name, fields)),
  };
}

function textOf(html: string): string {
  return html
    .replace(/<(style|script|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}
