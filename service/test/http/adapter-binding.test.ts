import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { laptop } from '../support/customer.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { openShopBrowser, startShop } from '../support/shop-browser.js';
import { type Shop, type ShopOptions, shops } from '../support/shops.js';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service.close());
const { cookies, logIn, post, send } = openShopBrowser();
beforeEach(async () => {
  cookies.clear();
  project = await service.newProject();
});

describe.each(Object.keys(shops))('the adapter for %s', (name) => {
  const start = (options: Partial<ShopOptions> = {}) => startShop(name, service, project, options);

  describe('a challenge belongs to the browser that began it', () => {
    const routes = [
      ['open', {}],
      ['send', {}],
      ['begin', {}],
      ['verify', { code: '000000' }],
    ] as const;

    /** Begins a login whose code the victim would have to enter. Returns the cookie and the challenge's ID. */
    async function begin(shop: Shop, email = 'ann@example.com') {
      cookies.clear();
      await logIn(shop, { email });
      const { body } = await post(shop, '/whorl/open', {});
      return { cookie: [...cookies].map((each) => each.join('=')).join('; '), id: String(body.challenge) };
    }

    test.each(routes)('%s refuses every other browser', async (route, fields) => {
      const shop = await start();
      const attacker = await begin(shop);
      const victim = await begin(shop, 'victim@example.com');
      const sent = service.outbox.length;
      const [name = '', value = ''] = attacker.cookie.split('=');
      const signature = value.slice(value.lastIndexOf('.'));
      const expired = await sealed(`${attacker.id}~open~1000000000`);
      const foreignKey = await sealed(`${attacker.id}~open~9999999999`, 'sk_live_of_somebody_else');
      const bodies = [{ challenge_id: attacker.id }, { challenge: attacker.id }];
      const requests = [
        ...bodies.map((body) => ['', body, '']),
        ['', {}, `?challenge_id=${attacker.id}&challenge=${attacker.id}`],
        // Cookies that are forged, of another key, expired, of a prefixed name, and of another challenge.
        ...[
          attacker.id,
          `${attacker.id}~open~9999999999`,
          `${attacker.id}~open~9999999999${signature}`,
          value.slice(1),
        ].map((forged) => [`${name}=${forged}`, {}, '']),
        [`${name}=${foreignKey}`, {}, ''],
        [`${name}=${expired}`, {}, ''],
        [`other${attacker.cookie}`, {}, ''],
        ...bodies.map((body) => [victim.cookie, 'challenge' in body ? body : { ...body, challenge: 'x' }, '']),
      ] as const;
      for (const [cookie, body, query] of requests) {
        const path = `/whorl/${route}${query}`;
        const answer = await post(shop, path, { ...fields, ...Object(body) }, { cookie: String(cookie) });
        expect([cookie, body, query, answer]).toMatchObject([
          cookie,
          body,
          query,
          {
            status: 403,
            body: { code: 'challenge_of_another_browser', detail: expect.stringContaining('Start again') },
          },
        ]);
      }
      expect(service.outbox).toHaveLength(sent);
      // The browser that began it is served.
      expect((await post(shop, `/whorl/${route}`, fields, { cookie: attacker.cookie })).status).not.toBe(403);
    });

    /** Signs a cookie as an application with this key does. */
    function sealed(text: string, apiSecret = project.keys.live.secret): Promise<string> {
      const purpose = 'whorl adapter: challenges of this browser, v1';
      return new Whorl({ apiSecret, baseUrl: service.url }).sign(purpose, text);
    }

    test('keeps the challenges of two tabs apart', async () => {
      const shop = await start();
      const opened = async (email: string) => {
        await logIn(shop, { email });
        return (await post(shop, '/whorl/open', {})).body;
      };
      const [first, second] = [await opened('ann@example.com'), await opened('ben@example.com')];
      expect(first.challenge).not.toBe(second.challenge);
      for (const { challenge, email } of [first, second]) {
        expect((await post(shop, '/whorl/send', { challenge })).body.sent_to).toBe(email);
        const { code } = service.outbox.at(-1) ?? {};
        expect((await post(shop, '/whorl/verify', { challenge, code })).body).toEqual({ success: true });
      }
      expect((await logIn(shop)).status).toBe(200);
    });

    test('sets a cookie that only this host can set, and no script can read', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      const origin = 'https://shop.example';
      const shop = await start({ origins: [origin] });
      const response = await send(
        shop,
        '/login',
        { email: 'ann@example.com', password: 'right', fingerprint: laptop },
        { origin },
      );
      const [cookie = ''] = response.headers.getSetCookie();
      expect(cookie).toMatch(
        /^__Host-whorl-challenge=[\w.~-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      const headers = { origin, cookie: cookie.replace(/;.*/, '') };
      expect((await post(shop, '/whorl/open', {}, headers)).status).toBe(200);
      const weaker = { origin, cookie: headers.cookie.replace('__Host-', '') };
      expect((await post(shop, '/whorl/open', {}, weaker)).status).toBe(403);
    });

    test('lets a page without a script send and enter the code', async () => {
      const shop = await start({ page: '/code' });
      const submitted = async (path: string, fields: Record<string, string>) => {
        const response = await send(shop, path, new URLSearchParams(fields), { accept: 'text/html' });
        return [response.status, response.headers.get('location')];
      };
      expect(await submitted('/whorl/send', {})).toEqual([303, '/code?code=challenge_of_another_browser']);
      await logIn(shop);
      expect(await submitted('/whorl/send', {})).toEqual([303, '/code?code=code_sent']);
      const { code = '' } = service.outbox.at(-1) ?? {};
      expect(await submitted('/whorl/verify', { code: '12' })).toEqual([303, '/code?code=wrong_code']);
      const wrong = code === '000000' ? '111111' : '000000';
      expect(await submitted('/whorl/verify', { code: wrong })).toEqual([303, '/code?code=wrong_code']);
      expect(await submitted('/whorl/verify', { code })).toEqual([303, '/code?code=code_accepted']);
      expect((await logIn(shop)).status).toBe(200);
    });

    test('binds the challenge of a protected action too', async () => {
      const shop = await start();
      const user = { 'x-user': 'ben' };
      expect(await post(shop, '/pay', { fingerprint: laptop }, user)).toMatchObject({ status: 403 });
      expect((await post(shop, '/whorl/open', {})).status).toBe(200);
      expect((await post(shop, '/whorl/open', {}, { cookie: '' })).status).toBe(403);
    });
  });
});
