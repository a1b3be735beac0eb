import { onTestFinished } from 'vitest';
import { Whorl } from 'whorl/server';
import { laptop } from './customer.js';
import type { TestProject, TestService } from './service.js';
import { type Shop, type ShopOptions, shops } from './shops.js';

/** Starts a shop with an adapter. It is closed when the test ends. */
export async function startShop(
  name: string,
  service: TestService,
  project: TestProject,
  options: Partial<ShopOptions> = {},
): Promise<Shop> {
  const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url, retries: 0 });
  const shop = await shops[name]?.({ whorl, whenUnavailable: 'deny', ...options });
  if (!shop) throw new Error(`There is no shop with ${name}.`);
  onTestFinished(async () => {
    await shop.close();
  });
  return shop;
}

/** Returns a browser for shops, with the laptop's fingerprint. */
export function openShopBrowser() {
  const cookies = new Map<string, string>();

  return { cookies, logIn, post, send };

  function logIn(shop: Pick<Shop, 'url'>, fields: object = {}, headers: Record<string, string> = {}) {
    const known = { email: 'ann@example.com', password: 'right', fingerprint: laptop };
    return post(shop, '/login', { ...known, ...fields }, headers);
  }

  async function post(shop: Pick<Shop, 'url'>, path: string, fields: object, headers: Record<string, string> = {}) {
    const response = await send(shop, path, fields, headers);
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson ? await response.json() : undefined };
  }

  /** Sends JSON or a form, with the cookies, and keeps those of the answer. */
  async function send({ url }: Pick<Shop, 'url'>, path: string, fields: object, headers: Record<string, string> = {}) {
    const isForm = fields instanceof URLSearchParams;
    const response = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      body: isForm ? fields : JSON.stringify(fields),
      headers: {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'user-agent': 'shop test',
        'x-forwarded-for': '192.0.2.1, 198.51.100.7',
        cookie: [...cookies].map((each) => each.join('=')).join('; '),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }
}
