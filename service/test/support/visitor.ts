import { home, laptop } from './customer.js';
import type { TestService } from './service.js';

/** Response of a page. */
export interface SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Visible text, with single spaces. */
  readonly text: string;
}

/**
 * Number of client addresses used so far. Each request gets a new one, because pages have rate limits per address that
 * tests would exceed.
 */
let addresses = 0;

/** Fields of a form. Pairs can repeat a name. */
export type FormFields = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** Visitor with a browser that stores cookies, runs no scripts, and does not follow redirects by itself. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Fingerprint with which `open` answers the page's check of the browser. Default: the fingerprint of `laptop`. */
  fingerprint: string;
  /** Address from which `open` answers this check. Default: `home`, where the tests' challenges begin. */
  address: string;
  /** Returns the hidden fields of the last page. */
  fields(): Map<string, string>;
  /** Requests a URL of the service, ignoring the URL's origin, without following redirects. */
  get(address: string, headers?: Record<string, string>): Promise<SeenPage>;
  /** Requests a URL, follows a redirect within the service, and lets the page check the browser as its script does. */
  open(address: string, headers?: Record<string, string>): Promise<SeenPage>;
  /** Posts a form, even if no page has shown it, with the last page's CSRF token unless `fields` contains another. */
  post(address: string, fields?: FormFields, headers?: Record<string, string>): Promise<SeenPage>;
  /** Submits a form of the last page without following redirects. */
  submit(name: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<SeenPage>;
  /** Submits a form of the last page and follows a redirect within the service. */
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
  const follow = async (page: SeenPage, headers: Record<string, string> = {}): Promise<SeenPage> => {
    const location = page.headers.get('Location');
    return location?.startsWith('/') ? go(location, { headers }) : page;
  };
  const hiddenFields = () => {
    const all = shown.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    return new Map([...all].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  };
  const post: Visitor['post'] = (address, fields = {}, headers = {}) => {
    const pairs = Symbol.iterator in fields ? [...fields] : Object.entries(fields);
    const body = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
    if (!body.has('csrf')) body.set('csrf', hiddenFields().get('csrf') ?? '');
    return go(address, { method: 'POST', body, headers });
  };
  const submit: Visitor['submit'] = (name, fields = {}, headers = {}) => {
    const [, action] = new RegExp(`<form method="post" action="([^"]*/${name})"[^>]*>`).exec(shown) ?? [];
    if (action === undefined) throw new Error(`There is no form ${name} in: ${textOf(shown)}`);
    return post(action, fields, headers);
  };
  const submitAndFollow: Visitor['submitAndFollow'] = async (name, fields) => follow(await submit(name, fields));
  const visitor: Visitor = {
    cookies,
    fingerprint: laptop,
    address: home,
    fields: hiddenFields,
    get: (address, headers) => go(address, { ...(headers && { headers }) }),
    async open(address, headers = {}) {
      const page = await follow(await go(address, { headers }), headers);
      if (!page.html.includes('/browser"')) return page;
      const { fingerprint, address: from } = visitor;
      return follow(await submit('browser', { fingerprint }, { 'X-Forwarded-For': from, ...headers }), headers);
    },
    post,
    submit,
    submitAndFollow,
  };
  return visitor;
}

function textOf(html: string): string {
  return html
    .replace(/<(style|script|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}
