import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from '@hono/node-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { sample } from '../../../test/package/samples.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { closeServer, type Shop, type ShopOptions, secrets, shops, urlOf } from '../support/shops.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service.close());
/** The cookies of the browser in a test. */
const cookies = new Map<string, string>();
beforeEach(async () => {
  cookies.clear();
  project = await service.newProject();
});

describe.each(Object.keys(shops))('the adapter for %s', (name) => {
  const open: Shop[] = [];
  afterEach(async () => {
    for (const shop of open.splice(0)) await shop.close();
  });
  const start = async (options: Partial<ShopOptions> = {}) => {
    const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url, retries: 0 });
    const shop = await shops[name]?.({ whorl, whenUnavailable: 'deny', ...options });
    if (!shop) throw new Error(`There is no shop with ${name}.`);
    open.push(shop);
    return shop;
  };
  /** Client of a service that is down, or of ours while `isUp`. */
  const unreliable = () => {
    const state = { isUp: true };
    const whorl = new Whorl({
      apiSecret: project.keys.live.secret,
      baseUrl: service.url,
      retries: 0,
      fetch: (url, init) => (state.isUp ? fetch(url, init) : Promise.reject(new TypeError('The service is down'))),
    });
    return { state, whorl };
  };

  test('asks for a code on a new device, once', async () => {
    const shop = await start();
    expect(await logIn(shop)).toMatchObject({ status: 403, body: { code: 'challenge_required' } });
    expect((await logIn(shop)).body).toEqual({ code: 'challenge_required', detail: 'A code is needed to continue.' });
    const { status, body } = await post(shop, '/whorl/open', {});
    expect([status, body]).toMatchObject([200, { channels: ['email'] }]);
    const { challenge } = body;
    expect(await post(shop, '/whorl/send', { challenge })).toMatchObject({
      status: 200,
      body: { channel: 'email' },
    });
    expect(await post(shop, '/whorl/send', { challenge })).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail: expect.stringMatching(/^No new code can be sent now\. Try again in \d+ seconds\.$/),
      },
    });
    const { code = '' } = service.outbox.at(-1) ?? {};
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await post(shop, '/whorl/verify', { challenge, code: wrong })).toMatchObject({
      status: 200,
      body: { success: false, attempts_remaining: 4 },
    });
    expect(await post(shop, '/whorl/verify', { challenge, code })).toMatchObject({ body: { success: true } });
    expect(await logIn(shop)).toMatchObject({ status: 200, body: { restricted: false } });
  });

  test('says when a new code can be requested after the last wrong one', async () => {
    const shop = await start();
    await logIn(shop);
    await post(shop, '/whorl/send', {});
    const code = service.outbox.at(-1)?.code === '000000' ? '111111' : '000000';
    for (let tries = 0; tries < 4; tries += 1) await post(shop, '/whorl/verify', { code });
    const last = await post(shop, '/whorl/verify', { code });
    expect(last).toMatchObject({
      status: 429,
      body: {
        code: 'too_many_attempts',
        detail: expect.stringMatching(/^Too many wrong codes\. You can request a new one in \d+ seconds\.$/),
      },
    });
  });

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

  test('passes on the address, the user agent and the proof of the browser', async () => {
    const shop = await start();
    const { status, body: nonce } = await post(shop, '/whorl/nonce', {});
    expect([status, nonce]).toMatchObject([200, { nonce: expect.any(String) }]);
    await logIn(shop, { proof: 'no proof', last_fingerprint: phone });
    const { body } = await post(shop, '/whorl/open', {});
    const key = project.keys.live.secret;
    const [{ _id }] = (await service.api('/v2/proj/access-history', { key })).body.data;
    expect((await service.api(`/v2/evaluations/${_id}`, { key })).body).toMatchObject({
      challenge_id: body.challenge,
      ip: '198.51.100.7',
      last_fingerprint: phone,
      user_agent: 'shop test',
      // It was read, and is not one.
      proof: 'malformed',
    });
  });

  test('reports a wrong password', async () => {
    const shop = await start();
    expect(await logIn(shop, { password: 'wrong' })).toMatchObject({ status: 401, body: { code: 'wrong_password' } });
    const { body } = await service.api('/v2/proj/access-history?outcome=failed', { key: project.keys.live.secret });
    expect(body.total).toBe(1);
  });

  test('protects the action of a user who is logged in', async () => {
    const shop = await start();
    const pay = (headers: Record<string, string>) => post(shop, '/pay', { fingerprint: laptop }, headers);
    await service.api('/v2/device/evaluate', {
      key: project.keys.live.secret,
      body: { action: 'signup', user: 'ben', fingerprint: laptop, ip: '198.51.100.7' },
    });
    expect(await pay({ 'x-user': 'ben' })).toMatchObject({ status: 200, body: { restricted: false } });
    expect(await pay({ 'x-user': 'ann' })).toMatchObject({ status: 403, body: { code: 'challenge_required' } });
    expect(await pay({})).toMatchObject({ status: 401, body: { code: 'not_logged_in' } });
  });

  test('refuses requests of other sites, and asks for a code without a fingerprint', async () => {
    const shop = await start({ origins: ['https://app.example'] });
    const from = (headers: Record<string, string>) => post(shop, '/whorl/nonce', {}, headers);
    const { host } = new URL(shop.url);
    expect(await from({ origin: `http://${host}` })).toMatchObject({ status: 200 });
    expect(await from({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 200,
    });
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await from(headers)).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
    }
    const foreign = await logIn(shop, {}, { origin: 'https://evil.example' });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
    expect(await logIn(shop, { fingerprint: undefined })).toMatchObject({
      status: 403,
      body: { code: 'challenge_required' },
    });
  });

  test.each([
    ['allow', 200, 200],
    ['deny', 503, 503],
    ['cached', 200, 503],
  ] as const)('follows the policy %s while the service is unavailable', async (whenUnavailable, known, unknown) => {
    const { state, whorl } = unreliable();
    const causes: unknown[] = [];
    const shop = await start({ whorl, whenUnavailable, onUnavailable: (cause) => causes.push(cause) });
    await whorl.evaluate({ action: 'signup', user: 'ann@example.com', fingerprint: laptop, ip: '198.51.100.7' });
    expect((await logIn(shop)).status).toBe(200);
    state.isUp = false;
    expect((await logIn(shop)).status).toBe(known);
    expect((await logIn(shop, { fingerprint: phone })).status).toBe(unknown);
    expect((await logIn(shop, {}, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(unknown);
    expect((await logIn(shop, { password: 'wrong' })).status).toBe(whenUnavailable === 'deny' ? 503 : 401);
    expect((await post(shop, '/whorl/nonce', {})).status).toBe(503);
    expect(causes).toHaveLength(5);
    for (const cause of causes) expect(cause).toMatchObject({ code: 'network' });
  });

  test('remembers no browser without an address', async () => {
    const { state, whorl } = unreliable();
    const shop = await start({ whorl, whenUnavailable: 'cached' });
    await whorl.evaluate({ action: 'signup', user: 'ann@example.com', fingerprint: laptop, ip: '198.51.100.7' });
    const withoutProxy = () => logIn(shop, {}, { 'x-forwarded-for': '' });
    await withoutProxy();
    state.isUp = false;
    // The others know the address of the connection, from which this browser was not allowed before.
    expect((await withoutProxy()).status).toBe(503);
  });

  test('prints the warnings of test keys once', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const shop = await start({ whorl: new Whorl({ apiSecret: project.keys.test.secret, baseUrl: service.url }) });
    await logIn(shop);
    await logIn(shop);
    const lines = printed.mock.calls.flat().filter((line) => String(line).startsWith('Whorl'));
    expect(lines).toEqual([expect.stringMatching(/^Whorl, test key: `proof` is missing/)]);
  });

  test('does not take a mistake of the application for one of the visitor', async () => {
    const shop = await start({ whorl: new Whorl({ apiSecret: 'sk_live_unknown', baseUrl: service.url }) });
    expect((await logIn(shop)).status).toBe(500);
    expect((await logIn(shop, { password: 'wrong' })).status).toBe(500);
    expect((await post(shop, '/whorl/nonce', {})).status).toBe(500);
  });

  test('verifies webhooks by their raw body', async () => {
    const shop = await start();
    // The signature covers these bytes: parsed and serialised again, they would be others.
    const body = '{ "type":"device.detached", "timestamp":"2026-01-01T00:00:00Z", "data":{ "user":"ann" } }';
    const at = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secrets).sign('msg_1', at, body),
    };
    const sendEvent = (text: string) => fetch(`${shop.url}/webhook`, { method: 'POST', headers, body: text });
    expect((await sendEvent(body)).status).toBe(204);
    expect(shop.events).toEqual(['device.detached']);
    const forged = await sendEvent(body.replace('ann', 'eve'));
    expect([forged.status, await forged.json()]).toMatchObject([400, { code: 'signature_mismatch' }]);
    expect(shop.events).toHaveLength(1);
  });
});

/** Runs the applications of docs/adapters.md as they are, with two modules of the reader's own. */
describe('the samples of docs/adapters.md', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/whorl-adapters', randomUUID());
  const write = (path: string, code: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
    return join(folder, path);
  };
  const accounts = `export const findAccount = (email) => (email ? { id: '42', email } : undefined);
    export const passwordMatches = (account, password) => password === 'right';
    export const readCredentials = (body) => body;`;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const play = async (shop: Pick<Shop, 'url'>) => {
    expect(await logIn(shop, { password: 'wrong' })).toMatchObject({ status: 401 });
    const { body } = await logIn(shop);
    expect(body).toMatchObject({ code: 'challenge_required' });
    expect(await post(shop, '/whorl/send', {})).toMatchObject({ status: 200 });
    const { code = '' } = service.outbox.at(-1) ?? {};
    await post(shop, '/whorl/verify', { code });
    expect(await logIn(shop)).toMatchObject({ status: 200, body: { user: '42', restricted: false } });
  };

  test.each(['Express', 'Fastify', 'Hono'])('%s', async (framework) => {
    write('accounts.js', accounts);
    write('package.json', '{"type":"module"}');
    const file = write(`${framework}.js`, sample(`docs/adapters.md, ${framework}, 1`).code);
    const port = await freePort();
    const environment = {
      WHORL_URL: service.url,
      WHORL_API_SECRET: project.keys.live.secret,
      WHORL_WEBHOOK_SECRET: secrets,
      PORT: String(port),
    };
    const child = spawn(process.execPath, [file], { env: { ...process.env, ...environment }, stdio: 'inherit' });
    try {
      const shop = { url: `http://127.0.0.1:${port}` };
      await until('The start', () => fetch(shop.url));
      await play(shop);
    } finally {
      child.kill();
    }
  });

  test('Next', async () => {
    write('accounts.js', accounts);
    write('package.json', '{"type":"module"}');
    const paths = ['whorl.js', 'app/whorl/[route]/route.js', 'app/login/route.js'];
    // Next finds a module without its extension.
    const codeOf = (number: number) =>
      sample(`docs/adapters.md, Next, ${number}`).code.replace(/(from '\.[^']*)'/g, "$1.js'");
    const files = paths.map((path, index) => write(path, codeOf(index + 1)));
    const [, routes, login] = await Promise.all(
      files.map((file) => import(/* @vite-ignore */ pathToFileURL(file).href)),
    );
    // Only now: next build imports the modules without them.
    process.env.WHORL_URL = service.url;
    process.env.WHORL_API_SECRET = project.keys.live.secret;
    const fetchRoute = (request: Request) => (request.url.endsWith('/login') ? login : routes).POST(request);
    const server = serve({ fetch: fetchRoute, hostname: '127.0.0.1', port: 0 }) as Server;
    await once(server, 'listening');
    try {
      await play({ url: urlOf(server) });
    } finally {
      await closeServer(server);
      Reflect.deleteProperty(globalThis, 'whorl');
    }
  });
});

function logIn(shop: Pick<Shop, 'url'>, fields: object = {}, headers: Record<string, string> = {}) {
  const known = { email: 'ann@example.com', password: 'right', fingerprint: laptop };
  return post(shop, '/login', { ...known, ...fields }, headers);
}

async function post(shop: Pick<Shop, 'url'>, path: string, fields: object, headers: Record<string, string> = {}) {
  const response = await send(shop, path, fields, headers);
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? await response.json() : undefined };
}

/** Sends JSON or a form, with the cookies of the test's browser, and keeps those of the answer. */
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
