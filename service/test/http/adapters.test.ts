import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { laptop, phone } from '../support/customer.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { openShopBrowser, startShop } from '../support/shop-browser.js';
import { type ShopOptions, secrets, shops } from '../support/shops.js';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service.close());
const { cookies, logIn, post } = openShopBrowser();
beforeEach(async () => {
  cookies.clear();
  project = await service.newProject();
});

describe.each(Object.keys(shops))('the adapter for %s', (name) => {
  const start = (options: Partial<ShopOptions> = {}) => startShop(name, service, project, options);

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
