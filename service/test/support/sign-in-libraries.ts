import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { expect } from 'vitest';
import type { TestService } from './service.js';
import { urlOf } from './shops.js';

/** The only account. */
export const email = 'ann@example.com';
export const password = 'the right password';

/** Outcome of a sign-in. */
interface Answer {
  readonly code?: string | undefined;
}

/** Keeps cookies, and follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(fingerprint?: string) {
    if (fingerprint) this.cookies.set('whorl', encodeURIComponent(JSON.stringify({ fingerprint, version: '0.1.0' })));
  }

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        'user-agent': 'shop test',
        'x-forwarded-for': '198.51.100.7',
        cookie: [...this.cookies].map((cookie) => cookie.join('=')).join('; '),
        ...(init.method === 'POST' && { origin: new URL(url).origin }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async post(url: string, fields: object, headers: Record<string, string> = {}) {
    const body = JSON.stringify(fields);
    const response = await this.request(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    return { status: response.status, body: /^[[{]|^null/.test(text) ? JSON.parse(text) : text };
  }

  async get(url: string) {
    return (await this.request(url)).json();
  }

  /** Follows redirects from a URL until one leads to a page for which `isOfPage` returns true. Returns its URL. */
  async navigate(url: string, isOfPage: (url: URL) => boolean): Promise<URL> {
    for (let next = new URL(url); ; ) {
      if (isOfPage(next)) return next;
      const response = await this.request(next.href, { headers: { accept: 'text/html' } });
      next = new URL(response.headers.get('location') ?? `/status/${response.status}`, next);
    }
  }
}

/** How a library's application is used. */
interface Library {
  /** Where Whorl's routes are. */
  readonly routes: string;
  signIn(browser: Browser, url: string, password: string): Promise<Answer>;
  /** Returns who is signed in. */
  user(browser: Browser, url: string): Promise<string | undefined>;
  signOut(browser: Browser, url: string): Promise<unknown>;
}

export const libraries: Record<'better-auth' | 'Auth.js' | 'Passport', Library> = {
  'better-auth': {
    routes: '/api/auth/whorl',
    signIn: async (browser, url, entered) =>
      (await browser.post(`${url}/api/auth/sign-in/email`, { email, password: entered })).body,
    user: async (browser, url) => (await browser.get(`${url}/api/auth/get-session`))?.user.email,
    signOut: (browser, url) => browser.post(`${url}/api/auth/sign-out`, {}),
  },
  'Auth.js': {
    routes: '/whorl',
    async signIn(browser, url, entered) {
      const location = await postForm(browser, url, '/auth/callback/credentials', { email, password: entered });
      return { code: location.searchParams.get('code') ?? undefined };
    },
    user: async (browser, url) => (await browser.get(`${url}/auth/session`))?.user.email,
    signOut: (browser, url) => postForm(browser, url, '/auth/signout', {}),
  },
  Passport: {
    routes: '/whorl',
    signIn: async (browser, url, entered) => (await browser.post(`${url}/login`, { email, password: entered })).body,
    user: async (browser, url) => (await browser.get(`${url}/me`)).user ?? undefined,
    signOut: (browser, url) => browser.post(`${url}/logout`, {}),
  },
};

/** Completes a challenge with the code that was sent. */
export async function confirm({ outbox }: TestService, browser: Browser, routes: string): Promise<void> {
  expect(await browser.post(`${routes}/send`, {})).toMatchObject({ status: 200 });
  const { code } = outbox.at(-1) ?? {};
  expect((await browser.post(`${routes}/verify`, { code })).body).toEqual({ success: true });
}

/** Sends a form as Auth.js' pages do. Returns the URL to which Auth.js redirects. */
export async function postForm(
  browser: Browser,
  url: string,
  path: string,
  fields: Record<string, string>,
): Promise<URL> {
  const { csrfToken } = await browser.get(`${url}/auth/csrf`);
  const body = new URLSearchParams({ ...fields, csrfToken, callbackUrl: `${url}/in` });
  const response = await browser.request(url + path, {
    method: 'POST',
    body,
    headers: { 'x-auth-return-redirect': '1' },
  });
  return new URL((await response.json()).url, url);
}

/** Starts a server that answers requests with a function. Returns it and its URL. */
export async function serveRequests(
  answer: (request: Request) => Response | Promise<Response>,
): Promise<[Server, string]> {
  const server = serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  return [server, urlOf(server)];
}
